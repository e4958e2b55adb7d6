import type { RouteObject } from 'react-router';

export const linkRoutes: RouteObject[] = [{ path: 'links', lazy: () => import('./links-page.tsx') }];
