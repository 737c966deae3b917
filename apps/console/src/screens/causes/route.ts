import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { causesSearch } from './search-params';

export const causesRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/causes/$kind/$id',
    validateSearch: causesSearch,
    component: lazyRouteComponent(() => import('./causes-page'), 'CausesPage'),
  }),
];
