import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';

export const membersRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/members',
    component: lazyRouteComponent(() => import('./members-page'), 'MembersPage'),
  }),
];
