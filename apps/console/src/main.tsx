import './nonce';
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './api/queries';
import { router } from './router';
import { SessionProvider } from './session/session-provider';
import { applyTheme, storedTheme } from './ui/theme';

applyTheme(storedTheme());

const place = document.getElementById('root');
if (place)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
