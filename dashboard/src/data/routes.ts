import type { RouteObject } from 'react-router';

export const dataRoutes: RouteObject[] = [{ path: 'data', lazy: () => import('./data-page.tsx') }];
