import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { securitySearch } from './search-params';

export const securityEventsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/security-events',
    validateSearch: securitySearch,
    component: lazyRouteComponent(() => import('./security-events-page'), 'SecurityEventsPage'),
  }),
];
