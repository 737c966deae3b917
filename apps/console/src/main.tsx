import './nonce';
import './style.css';
import { StrictMode, lazy } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { router } from './router';
import { SessionProvider } from './session/session-provider';
import { applyTheme, storedTheme } from './ui/theme';
import { LazyPart } from './ui/lazy-part';
import { toast } from './ui/toast';

applyTheme(storedTheme());

const OpenGuides = lazy(async () => ({ default: (await import('./screens/guides/open-guides')).OpenGuides }));

// A part of the build before the one that is served now: what is open goes on, and the page says why something is missing.
window.addEventListener('vite:preloadError', () => toast.outdated());

const container = document.getElementById('root');
if (container)
  createRoot(container).render(
    <StrictMode>
      <SessionProvider
        guides={
          <LazyPart name="The documentation">
            <OpenGuides />
          </LazyPart>
        }
      >
        <RouterProvider router={router} />
      </SessionProvider>
    </StrictMode>,
  );
