import './nonce';
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { router } from './router';
import { SessionProvider } from './session/session-provider';
import { applyTheme, storedTheme } from './ui/theme';

applyTheme(storedTheme());

const place = document.getElementById('root');
if (place)
  createRoot(place).render(
    <StrictMode>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </StrictMode>,
  );
