import { NOT_AFFORDED } from '../relay/not-afforded';
import { defineCall } from '../define/contracts';
import { ById, Deleted, Nothing, pageOf } from '../define/shapes';
import { CreateDataset, ListDatasets, PatchDataset } from './dataset-requests';
import { DatasetView } from './dataset-view';
import { EmbeddingsOfDataset, EmbeddingsRetried, EmbeddingsView } from './embedding-requests';
import {
  AppendImport,
  BeginImport,
  ImportBegun,
  ImportById,
  ImportEnd,
  ImportJobView,
  ImportOfDataset,
  ImportProgress,
  ImportsOfDataset,
} from './import-requests';
import {
  Counted,
  CountRecords,
  DeletedRecords,
  DeleteRecords,
  Inserted,
  InsertRecords,
  QueryRecords,
  RecordPage,
  Updated,
  UpdateRecords,
} from './record-requests';
import { SearchHits, SearchRecords, SearchText, TextHits } from './search-requests';
import { SetWatch } from './watch';

/** Of what a task's steps and an agent's tools do with records. */
const RUNNERS = ['gateway', 'agent', 'task'] as const;
const EMBEDDING = [...NOT_AFFORDED, 'RUNTIME_UNAVAILABLE'] as const;

export const DatasetCalls = {
  create: defineCall({
    subject: 'dataset.create',
    request: CreateDataset,
    reply: DatasetView,
    idempotent: true,
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'dataset.list',
    request: ListDatasets,
    reply: pageOf(DatasetView),
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'dataset.get',
    request: ById,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway', 'agent', 'task', 'event-bus'],
  }),
  patch: defineCall({
    subject: 'dataset.patch',
    request: PatchDataset,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  delete: defineCall({
    subject: 'dataset.delete',
    request: ById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
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
  }),
  update: defineCall({
    subject: 'dataset.update',
    request: UpdateRecords,
    reply: Updated,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: RUNNERS,
    timeoutMs: 60_000,
  }),
  deleteRecords: defineCall({
    subject: 'dataset.delete-records',
    request: DeleteRecords,
    reply: DeletedRecords,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: RUNNERS,
    timeoutMs: 60_000,
  }),
  query: defineCall({
    subject: 'dataset.query',
    request: QueryRecords,
    reply: RecordPage,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
  }),
  count: defineCall({
    subject: 'dataset.count',
    request: CountRecords,
    reply: Counted,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
  }),
  search: defineCall({
    subject: 'dataset.search',
    request: SearchRecords,
    reply: SearchHits,
    errors: ['NOT_FOUND', ...EMBEDDING],
    access: { scope: 'datasets:read' },
    callers: RUNNERS,
    timeoutMs: 60_000,
  }),
  fullTextSearch: defineCall({
    subject: 'dataset.full-text-search',
    request: SearchText,
    reply: TextHits,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
  }),
  hybridSearch: defineCall({
    subject: 'dataset.hybrid-search',
    request: SearchRecords,
    reply: SearchHits,
    errors: ['NOT_FOUND', ...EMBEDDING],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
    timeoutMs: 60_000,
  }),

  /**
   * An import is staged part by part. `finishImport` writes it at once, all of it or nothing, or hands a large one to
   * a worker that does. Each of these may be sent again.
   */
  beginImport: defineCall({
    subject: 'dataset.begin-import',
    request: BeginImport,
    reply: ImportBegun,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  appendImport: defineCall({
    subject: 'dataset.append-import',
    request: AppendImport,
    reply: ImportProgress,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    timeoutMs: 10_000,
  }),
  finishImport: defineCall({
    subject: 'dataset.finish-import',
    request: ImportById,
    reply: ImportEnd,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
    timeoutMs: 60_000,
  }),
  abandonImport: defineCall({
    subject: 'dataset.abandon-import',
    request: ImportById,
    reply: Nothing,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  getImport: defineCall({
    subject: 'dataset.get-import',
    request: ImportOfDataset,
    reply: ImportJobView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
  }),
  listImports: defineCall({
    subject: 'dataset.list-imports',
    request: ImportsOfDataset,
    reply: pageOf(ImportJobView),
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
  }),
  cancelImport: defineCall({
    subject: 'dataset.cancel-import',
    request: ImportOfDataset,
    reply: ImportJobView,
    errors: ['NOT_FOUND', 'JOB_FINISHED'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),

  getEmbeddings: defineCall({
    subject: 'dataset.get-embeddings',
    request: EmbeddingsOfDataset,
    reply: EmbeddingsView,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:read' },
    callers: ['gateway'],
  }),
  retryEmbeddings: defineCall({
    subject: 'dataset.retry-embeddings',
    request: EmbeddingsOfDataset,
    reply: EmbeddingsRetried,
    errors: ['NOT_FOUND'],
    access: { scope: 'datasets:write', role: 'MEMBER' },
    callers: ['gateway'],
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
