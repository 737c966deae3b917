import { type ReactNode, Suspense, useRef, useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, RouterProvider, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { newQueries } from '../../api/queries';
import { NotFound } from '../../frame/not-found';
import { RouteError } from '../../frame/route-error';
import { PAGE_SCROLL, usePageScroll } from '../../frame/use-page-scroll';
import { history } from '../../history';
import { Logo } from '../../ui/logo';
import { Loading } from '../../ui/states';
import { GuidePage } from './guide-page';

/** The documentation without a sign-in. Its router has no other page, and its queries read files of the console alone. */
export function OpenGuides(): ReactNode {
  const [queries] = useState(newQueries);
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function OpenFrame(): ReactNode {
  const page = useRef<HTMLElement>(null);
  usePageScroll(page);
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 sm:px-4">
        <Link to="/docs/$" params={INDEX} className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-7 shrink-0" />
          Switchyard
        </Link>
        <span className="flex-1" />
        {/* Loads the console anew: a service that was down may be back. */}
        <a href="/console/" className="text-accent underline underline-offset-2">
          Sign in
        </a>
      </header>
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
  );
}

const INDEX = { _splat: '' };

const root = createRootRoute({ component: OpenFrame, notFoundComponent: NotFound, errorComponent: RouteError });

const router = createRouter({
  routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '/docs/$', component: GuidePage })]),
  basepath: '/console',
  history,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
});
