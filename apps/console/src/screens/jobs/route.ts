import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { jobsSearch } from './search-params';

export const jobsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/jobs',
    validateSearch: jobsSearch,
    component: lazyRouteComponent(() => import('./jobs-page'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs/$jobId',
    component: lazyRouteComponent(() => import('./job-page'), 'JobPage'),
  }),
];
