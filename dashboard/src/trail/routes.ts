import type { RouteObject } from 'react-router';

export const trailRoutes: RouteObject[] = [{ path: 'trail', lazy: () => import('./trail-page.tsx') }];
