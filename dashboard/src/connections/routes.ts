import type { RouteObject } from 'react-router';

export const connectionRoutes: RouteObject[] = [
  { path: 'connections/new', lazy: () => import('./create-page.tsx') },
  { path: 'connections/:id', lazy: () => import('./detail-page.tsx') },
  { path: 'connections/:id/coverage', lazy: () => import('./coverage-page.tsx') },
  { path: 'connections/:id/credentials', lazy: () => import('./credentials-page.tsx') },
  { path: 'connections/:id/edit', lazy: () => import('./edit-page.tsx') },
];
