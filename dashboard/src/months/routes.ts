import type { RouteObject } from 'react-router';

export const monthRoutes: RouteObject[] = [{ path: 'months', lazy: () => import('./months-page.tsx') }];
