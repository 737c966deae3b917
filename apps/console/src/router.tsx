import { createRouter } from '@tanstack/react-router';
import { root } from './frame/root-route';
import { RouteError } from './frame/route-error';
import { history } from './history';
import { screens } from './screens';

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: '/console',
  history,
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
  // The window does not scroll: the page within its frame does.
  scrollToTopSelectors: ['#main'],
});
