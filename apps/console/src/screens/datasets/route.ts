import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const datasetsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/datasets',
    component: lazyRouteComponent(() => import('./datasets-page'), 'DatasetsPage'),
  }),
];
