import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const activityRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/activity',
    component: lazyRouteComponent(() => import('./activity-page'), 'ActivityPage'),
  }),
];
