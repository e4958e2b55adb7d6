import type { RouteObject } from 'react-router';

export const apiKeyRoutes: RouteObject[] = [{ path: 'api-keys', lazy: () => import('./api-keys-page.tsx') }];
