import type { RouteObject } from 'react-router';

export const companyRoutes: RouteObject[] = [{ path: 'connections', lazy: () => import('./companies-page.tsx') }];
