import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const applicationsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/applications',
    component: lazyRouteComponent(() => import('./applications-page'), 'ApplicationsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/applications/$applicationId',
    component: lazyRouteComponent(() => import('./application-page'), 'ApplicationPage'),
  }),
];
