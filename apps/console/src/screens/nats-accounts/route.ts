import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const natsAccountsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/nats-accounts',
    component: lazyRouteComponent(() => import('./nats-accounts-page'), 'NatsAccountsPage'),
  }),
];
