import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const secretsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/secrets',
    component: lazyRouteComponent(() => import('./secrets-page'), 'SecretsPage'),
  }),
];
