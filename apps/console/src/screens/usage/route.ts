import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { usageSearch } from './search-params';

export const usageRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/usage',
    validateSearch: usageSearch,
    component: lazyRouteComponent(() => import('./usage-page'), 'UsagePage'),
  }),
];
