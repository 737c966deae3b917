import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const executionsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/executions/$executionId',
    component: lazyRouteComponent(() => import('./execution-page'), 'ExecutionPage'),
  }),
];
