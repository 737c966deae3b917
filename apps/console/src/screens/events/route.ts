import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { eventsSearch } from './search-params';

export const eventsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/events',
    validateSearch: eventsSearch,
    component: lazyRouteComponent(() => import('./events-page'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/events/$envelopeId',
    component: lazyRouteComponent(() => import('./envelope-page'), 'EnvelopePage'),
  }),
];
