import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../frame/root-route';
import { datasetsSearch, recordsSearch } from './search-params';

export const datasetsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/datasets',
    validateSearch: datasetsSearch,
    component: lazyRouteComponent(() => import('./datasets-page'), 'DatasetsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets/new',
    component: lazyRouteComponent(() => import('./new-dataset'), 'NewDatasetPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets/$datasetId',
    validateSearch: recordsSearch,
    component: lazyRouteComponent(() => import('./records-page'), 'RecordsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets/$datasetId/schema',
    component: lazyRouteComponent(() => import('./schema-page'), 'SchemaPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets/$datasetId/imports',
    component: lazyRouteComponent(() => import('./imports-page'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/datasets/$datasetId/embeddings',
    component: lazyRouteComponent(() => import('./embeddings-page'), 'EmbeddingsPage'),
  }),
];
