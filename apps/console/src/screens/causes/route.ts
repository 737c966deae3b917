import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const causesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/causes/$kind/$id',
    component: lazyRouteComponent(() => import('./causes-page'), 'CausesPage'),
  }),
];
