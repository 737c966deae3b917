import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { keysSearch } from './search-params';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    validateSearch: keysSearch,
    component: lazyRouteComponent(() => import('./keys-page'), 'KeysPage'),
  }),
];
