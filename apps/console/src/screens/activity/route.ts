import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { activitySearch } from './search-params';

const list = createRoute({
  getParentRoute: () => root,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('./activity-page'), 'ActivityPage'),
});

/** The record that is open at the side of the list: the list is the same, and keeps its place. */
const open = createRoute({ getParentRoute: () => list, path: '$kind/$id' });

export const activityRoutes = [list.addChildren([open])];
