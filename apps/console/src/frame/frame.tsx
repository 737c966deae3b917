import { type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from '@tanstack/react-router';
import { CircleQuestionMark, Menu as MenuIcon, Search } from 'lucide-react';
import { ActivityProvider } from '../api/activity-context';
import { useSession } from '../session/session-context';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { LazyPart } from '../ui/lazy-part';
import { Loading } from '../ui/states';
import { Toasts } from '../ui/toasts';
import { Help } from './help';
import { Navigation } from './navigation';
import { PersonMenu } from './person-menu';
import { SpaceSwitcher } from './space-switcher';
import { useKeys } from './use-keys';
import { PAGE_SCROLL, usePageScroll } from './use-page-scroll';

const Palette = lazy(async () => ({ default: (await import('./palette')).Palette }));

export function Frame(): ReactNode {
  const { space } = useSession();
  const { pathname } = useLocation();
  const [open, setOpen] = useState<'menu' | 'palette' | 'help' | null>(null);
  const page = useRef<HTMLElement>(null);
  usePageScroll(page);
  useKeys({
    'ctrl+k': () => setOpen('palette'),
    '/': () => setOpen('palette'),
    '?': () => setOpen('help'),
  });
  useEffect(() => {
    setOpen(null);
    // Where the page before had the focus, its page has it now: keys and readers go on from there.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
    });
  }, [pathname]);
  const close = (): void => setOpen(null);
  return (
    <ActivityProvider key={space.id}>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      <div className="flex h-full">
        <div className="hidden w-58 shrink-0 flex-col border-r border-line bg-surface lg:flex">
          <div className="px-3 pt-3">
            <SpaceSwitcher />
          </div>
          <Navigation />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 sm:px-4">
            <Button
              look="ghost"
              className="lg:hidden"
              aria-label="Menu"
              icon={<MenuIcon className="size-5" />}
              onClick={() => setOpen('menu')}
            />
            <button
              type="button"
              onClick={() => setOpen('palette')}
              className="flex h-8 w-full max-w-md min-w-0 items-center gap-2 rounded-lg border border-line bg-ground px-2.5 text-faint hover:border-line-strong"
            >
              <Search className="size-4 shrink-0" aria-hidden="true" />
              <span className="flex-1 truncate text-left">Search or go to</span>
              <kbd className="hidden rounded border border-line px-1.5 font-sans text-xs sm:block">Ctrl K</kbd>
            </button>
            <span className="flex-1" />
            <Button
              look="ghost"
              aria-label="Help"
              icon={<CircleQuestionMark className="size-4.5" />}
              onClick={() => setOpen('help')}
            />
            <PersonMenu />
          </div>
          <main
            ref={page}
            id="main"
            tabIndex={-1}
            data-scroll-restoration-id={PAGE_SCROLL}
            className="min-h-0 flex-1 overflow-y-auto outline-none"
          >
            <Suspense fallback={<Loading label="Loading the page" lines={6} />}>
              <Outlet />
            </Suspense>
          </main>
        </div>
      </div>
      <Dialog open={open === 'menu'} onClose={close} title="Menu">
        <SpaceSwitcher />
        <Navigation onLeave={close} />
      </Dialog>
      {open === 'palette' && (
        <LazyPart name="The search" instead={null}>
          <Palette onClose={close} />
        </LazyPart>
      )}
      <Help open={open === 'help'} onClose={close} />
      <Toasts />
    </ActivityProvider>
  );
}
