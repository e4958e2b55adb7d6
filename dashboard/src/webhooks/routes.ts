import type { RouteObject } from 'react-router';

export const webhookRoutes: RouteObject[] = [
  { path: 'webhooks', lazy: () => import('./webhooks-page.tsx') },
  { path: 'webhooks/:id', lazy: () => import('./endpoint-page.tsx') },
];
