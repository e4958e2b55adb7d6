import type { RouteObject } from 'react-router';

export const dataRoutes: RouteObject[] = [
  { path: 'data', lazy: () => import('./data-page.tsx') },
  { path: 'data/:connectionId/:scope', lazy: () => import('./scope-page.tsx') },
];
