import { createRouter } from '@tanstack/react-router';
import { root } from './frame/root-route';
import { screens } from './screens';

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});
