import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const guidesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/docs/$',
    component: lazyRouteComponent(() => import('./guide-page'), 'GuidePage'),
  }),
];
