import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { queries } from './api/queries.ts';
import { router } from './routes.tsx';
import { language } from './text/language.ts';
import './theme/theme.css';
import { theme } from './theme/theme.ts';

document.documentElement.lang = language;

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <Notifications />
      <QueryClientProvider client={queries}>
        {/* A transition would render a choice late, and the switch would jump back until then. */}
        <RouterProvider router={router} useTransitions={false} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
