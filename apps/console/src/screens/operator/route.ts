import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { eventsSearch, peopleSearch, spacesSearch } from './search-params';

export const operatorRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/operator',
    validateSearch: spacesSearch,
    component: lazyRouteComponent(() => import('./spaces-page'), 'OperatorSpacesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/spaces/$spaceId',
    component: lazyRouteComponent(() => import('./space-page'), 'OperatorSpacePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./people-page'), 'OperatorPeoplePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/load',
    component: lazyRouteComponent(() => import('./top-spaces-page'), 'OperatorLoadPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/failed-work',
    component: lazyRouteComponent(() => import('./failed-work-page'), 'OperatorFailedWorkPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/keys',
    component: lazyRouteComponent(() => import('./keys-page'), 'OperatorKeysPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operator/events',
    validateSearch: eventsSearch,
    component: lazyRouteComponent(() => import('./events-page'), 'OperatorEventsPage'),
  }),
];
