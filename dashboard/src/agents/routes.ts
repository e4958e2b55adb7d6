import type { RouteObject } from 'react-router';

export const agentRoutes: RouteObject[] = [
  { path: 'authorize', lazy: () => import('./authorize-page.tsx') },
  { path: 'applications', lazy: () => import('./applications-page.tsx') },
];
