import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    component: lazyRouteComponent(() => import('./inbox-page'), 'InboxPage'),
  }),
];
