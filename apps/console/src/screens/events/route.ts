import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const eventsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/events',
    component: lazyRouteComponent(() => import('./events-page'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/events/$envelopeId',
    component: lazyRouteComponent(() => import('./envelope-page'), 'EnvelopePage'),
  }),
];
