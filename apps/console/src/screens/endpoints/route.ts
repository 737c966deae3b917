import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const endpointsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/endpoints',
    component: lazyRouteComponent(() => import('./endpoints-page'), 'EndpointsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/endpoints/$endpointId',
    component: lazyRouteComponent(() => import('./endpoint-page'), 'EndpointPage'),
  }),
];
