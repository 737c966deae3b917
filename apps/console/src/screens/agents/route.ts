import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { agentSearch, agentsSearch } from './search-params';

export const agentsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/agents',
    validateSearch: agentsSearch,
    component: lazyRouteComponent(() => import('./agents-page'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/agents/$agentId',
    validateSearch: agentSearch,
    component: lazyRouteComponent(() => import('./agent-page'), 'AgentPage'),
  }),
];
