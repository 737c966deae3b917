import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => import('./keys-page'), 'KeysPage'),
  }),
];
