import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { tasksSearch } from './search-params';

export const tasksRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/tasks',
    validateSearch: tasksSearch,
    component: lazyRouteComponent(() => import('./tasks-page'), 'TasksPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/tasks/$taskId',
    component: lazyRouteComponent(() => import('./task-page'), 'TaskPage'),
  }),
];
