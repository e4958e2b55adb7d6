/**
 * Every address of the dashboard. Each page is a file that exports `Component`, and the file is loaded when a person
 * opens the page.
 */
import { createBrowserRouter, Navigate } from 'react-router';
import { agentRoutes } from './agents/routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { companyRoutes } from './companies/routes.ts';
import { connectionRoutes } from './connections/routes.ts';
import { dataRoutes } from './data/routes.ts';
import { linkRoutes } from './links/routes.ts';
import { monthRoutes } from './months/routes.ts';
import { BrokenPage } from './shell/broken-page.tsx';
import { CALLBACK_PATH } from './sign-in/callback-path.ts';
import { Gate } from './sign-in/gate.tsx';
import { trailRoutes } from './trail/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export const router = createBrowserRouter([
  { path: CALLBACK_PATH, lazy: () => import('./sign-in/callback-page.tsx') },
  // A customer who opens a link has no account, so this page is outside of the gate.
  { path: 'connect', lazy: () => import('./connect/connect-page.tsx') },
  {
    element: <Gate />,
    hydrateFallbackElement: <></>,
    children: [
      {
        errorElement: <BrokenPage />,
        children: [
          { index: true, element: <Navigate to="/connections" replace /> },
          ...companyRoutes,
          ...connectionRoutes,
          ...monthRoutes,
          ...dataRoutes,
          ...linkRoutes,
          ...apiKeyRoutes,
          ...agentRoutes,
          ...trailRoutes,
          ...webhookRoutes,
          { path: '*', lazy: () => import('./shell/not-found-page.tsx') },
        ],
      },
    ],
  },
]);
