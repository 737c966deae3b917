import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const usageRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/usage',
    component: lazyRouteComponent(() => import('./usage-page'), 'UsagePage'),
  }),
];
