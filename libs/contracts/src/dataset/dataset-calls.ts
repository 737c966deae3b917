import { NOT_AFFORDED } from '../relay/budget-errors';
import { defineCall } from '../define/define-contracts';
import { ById, Count, Deleted, listOf, Nothing, pageOf } from '../define/common-shapes';
import { InSpace } from '../key/spaces';
import { ChangeDataset, CreateDataset, ListDatasets, PatchDataset } from './dataset-requests';
import { DatasetView } from './dataset-view';
import { EmbeddingsOfDataset, EmbeddingsRetried, EmbeddingsView } from './embedding-requests';
import { ImportCalls } from './import-calls';
import {
  Counted,
  CountRecords,
  DeletedRecords,
  DeleteRecords,
  Inserted,
  InsertRecords,
  QueryRecords,
  RecordPage,
  RecordsCount,
  RecordsToDelete,
  RecordsToInsert,
  RecordsToUpdate,
  Updated,
  UpdateRecords,
} from './record-requests';
import { RecordSearch, SearchHit, SearchRecords, SearchText, TextHits } from './search-requests';
import { SetWatch } from './dataset-watches';

/** Callers of the record operations of task steps and agent tools. */
const RUNNERS = ['gateway', 'agent', 'task'] as const;
const EMBEDDING = [...NOT_AFFORDED, 'RUNTIME_UNAVAILABLE'] as const;

export const DatasetCalls = {
  list: defineCall({
    subject: 'dataset.list',
    request: ListDatasets,
    reply: pageOf(DatasetView),
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    http: { name: 'listDatasets', method: 'GET', path: '/datasets', summary: 'List datasets', message: 'Datasets.' },
    tool: {
      name: 'list_datasets',
      title: 'List datasets',
      description: 'The datasets of the Space, newest first.',
      readOnly: true,
    },
  }),
  countDatasets: defineCall({
    subject: 'dataset.count-datasets',
    request: InSpace,
    reply: Count,
    access: 'internal',
    callers: ['key'],
  }),
  create: defineCall({
    subject: 'dataset.create',
    request: CreateDataset,
    reply: DatasetView,
    errors: ['CONFLICT'],
    idempotent: true,
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'createDataset',
      method: 'POST',
      path: '/datasets',
      status: 201,
      summary: 'Create a dataset',
      message: 'Dataset created.',
    },
  }),
  get: defineCall({
    subject: 'dataset.get',
    request: ById,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway', 'agent', 'task', 'event-bus'],
    http: {
      name: 'getDataset',
      method: 'GET',
      path: '/datasets/:datasetId',
      summary: 'Read a dataset',
      message: 'Dataset.',
    },
    tool: {
      name: 'get_dataset',
      title: 'Read a dataset',
      description: 'A dataset with its schema: the names that queries and records must use.',
      readOnly: true,
    },
  }),
  patch: defineCall({
    subject: 'dataset.patch',
    request: PatchDataset,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'updateDataset',
      method: 'PATCH',
      path: '/datasets/:datasetId',
      summary: 'Rename or describe a dataset, or add optional fields',
      message: 'Dataset changed.',
      body: ChangeDataset,
    },
  }),
  delete: defineCall({
    subject: 'dataset.delete',
    request: ById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'deleteDataset',
      method: 'DELETE',
      path: '/datasets/:datasetId',
      summary: 'Delete a dataset and its records',
      message: 'Dataset deleted.',
    },
  }),

  query: defineCall({
    subject: 'dataset.query',
    request: QueryRecords,
    reply: RecordPage,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
    tool: {
      name: 'query_dataset',
      title: 'Query records',
      description:
        'Records by ids or filter, sorted and page by page. Filter: {field: value}, {field: [values]}, {field: {gt: 1}}, and, or, not.',
      readOnly: true,
    },
  }),
  count: defineCall({
    subject: 'dataset.count',
    request: CountRecords,
    reply: Counted,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
    http: {
      name: 'countRecords',
      method: 'POST',
      path: '/datasets/:datasetId/data/count',
      summary: 'Count records exactly',
      message: 'Records counted.',
      body: RecordsCount,
    },
    tool: {
      name: 'count_records',
      title: 'Count records',
      description: 'The exact number of records that fulfil a filter.',
      readOnly: true,
    },
  }),
  search: defineCall({
    subject: 'dataset.search',
    request: SearchRecords,
    reply: listOf(SearchHit),
    errors: ['NOT_FOUND', ...EMBEDDING],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
    timeoutMs: 60_000,
    http: {
      name: 'searchRecordsByMeaning',
      method: 'POST',
      path: '/datasets/:datasetId/data/search',
      summary: 'Find records by the meaning of a text',
      message: 'Records by similarity.',
      body: RecordSearch,
    },
    tool: {
      name: 'search_dataset',
      title: 'Search by meaning',
      description: 'The records whose text is nearest in meaning to a query.',
      readOnly: true,
    },
  }),
  fullTextSearch: defineCall({
    subject: 'dataset.full-text-search',
    request: SearchText,
    reply: TextHits,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    tool: {
      name: 'full_text_search_dataset',
      title: 'Search by words',
      description: 'Records that hold the words of a query; "phrases", or, and -words work as in a web search.',
      readOnly: true,
    },
  }),
  hybridSearch: defineCall({
    subject: 'dataset.hybrid-search',
    request: SearchRecords,
    reply: listOf(SearchHit),
    errors: ['NOT_FOUND', ...EMBEDDING],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    timeoutMs: 60_000,
    http: {
      name: 'searchRecordsByMeaningAndText',
      method: 'POST',
      path: '/datasets/:datasetId/data/hybrid-search',
      summary: 'Find records by meaning and words together',
      message: 'Records by meaning and words.',
      body: RecordSearch,
    },
  }),

  insert: defineCall({
    subject: 'dataset.insert',
    request: InsertRecords,
    reply: Inserted,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: RUNNERS,
    timeoutMs: 60_000,
    http: {
      name: 'insertRecords',
      method: 'POST',
      path: '/datasets/:datasetId/data/insert',
      summary: 'Insert records, all or none',
      message: 'Records inserted.',
      body: RecordsToInsert,
    },
    tool: {
      name: 'insert_records',
      title: 'Insert records',
      description: 'Inserts 1 to 1000 records: all of them, or none.',
    },
  }),
  update: defineCall({
    subject: 'dataset.update',
    request: UpdateRecords,
    reply: Updated,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: RUNNERS,
    timeoutMs: 60_000,
    http: {
      name: 'updateRecords',
      method: 'POST',
      path: '/datasets/:datasetId/data/update',
      summary: 'Update matching records',
      message: 'Records updated.',
      body: RecordsToUpdate,
    },
    tool: {
      name: 'update_records',
      title: 'Update records',
      description: 'Sets values on the records of a filter or of ids.',
      destructive: true,
      idempotent: true,
    },
  }),
  deleteRecords: defineCall({
    subject: 'dataset.delete-records',
    request: DeleteRecords,
    reply: DeletedRecords,
    errors: ['NOT_FOUND'],
    idempotent: true,
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: RUNNERS,
    timeoutMs: 60_000,
    http: {
      name: 'deleteRecords',
      method: 'POST',
      path: '/datasets/:datasetId/data/delete',
      summary: 'Delete matching records',
      message: 'Records deleted.',
      body: RecordsToDelete,
    },
    tool: {
      name: 'delete_records',
      title: 'Delete records',
      description: 'Deletes the records of a filter or of ids.',
      destructive: true,
      idempotent: true,
    },
  }),

  /**
   * An import is uploaded in parts. `finishImport` writes it atomically, or enqueues a job for a large one. All of
   * these may be retried.
   */
  ...ImportCalls,

  getEmbeddings: defineCall({
    subject: 'dataset.get-embeddings',
    request: EmbeddingsOfDataset,
    reply: EmbeddingsView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    http: {
      name: 'getEmbeddings',
      method: 'GET',
      path: '/datasets/:datasetId/embeddings',
      summary: 'Read which texts wait for their vectors, and which failed',
      message: 'Embeddings.',
    },
  }),
  retryEmbeddings: defineCall({
    subject: 'dataset.retry-embeddings',
    request: EmbeddingsOfDataset,
    reply: EmbeddingsRetried,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'retryEmbeddings',
      method: 'POST',
      path: '/datasets/:datasetId/embeddings/retry',
      summary: 'Embed the texts that failed again, now',
      description: 'At most 10,000 at a time. They are tried again by themselves too, some minutes apart.',
      message: 'They are tried again.',
    },
  }),

  setWatch: defineCall({
    subject: 'dataset.set-watch',
    request: SetWatch,
    reply: Nothing,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['event-bus'],
  }),
};
