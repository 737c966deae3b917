import { defineCall } from '../define/contracts';
import { ById, Deleted, Nothing, pageOf } from '../define/shapes';
import { CreateDataset, ListDatasets, PatchDataset } from './dataset-requests';
import { DatasetView } from './dataset-view';
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

const READERS = ['gateway', 'agent', 'task', 'event-bus'] as const;
const WRITERS = ['gateway', 'agent', 'task'] as const;
const ONCE = ['IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'] as const;
const EMBEDDING = [
  'INSUFFICIENT_TOKENS',
  'BELOW_MINIMUM_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
  'MONTHLY_LIMIT_EXCEEDED',
  'REQUEST_TOO_LARGE',
  'RUNTIME_UNAVAILABLE',
] as const;

export const DatasetCalls = {
  create: defineCall({
    subject: 'dataset.create',
    request: CreateDataset,
    reply: DatasetView,
    errors: [...ONCE],
    callers: ['gateway'],
  }),
  list: defineCall({ subject: 'dataset.list', request: ListDatasets, reply: pageOf(DatasetView), callers: READERS }),
  get: defineCall({
    subject: 'dataset.get',
    request: ById,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    callers: READERS,
  }),
  patch: defineCall({
    subject: 'dataset.patch',
    request: PatchDataset,
    reply: DatasetView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  delete: defineCall({
    subject: 'dataset.delete',
    request: ById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),

  insert: defineCall({
    subject: 'dataset.insert',
    request: InsertRecords,
    reply: Inserted,
    errors: ['NOT_FOUND', 'CONFLICT', ...ONCE],
    callers: WRITERS,
    timeoutMs: 60_000,
  }),
  update: defineCall({
    subject: 'dataset.update',
    request: UpdateRecords,
    reply: Updated,
    errors: ['NOT_FOUND', 'CONFLICT'],
    callers: WRITERS,
    timeoutMs: 60_000,
  }),
  deleteRecords: defineCall({
    subject: 'dataset.delete-records',
    request: DeleteRecords,
    reply: DeletedRecords,
    errors: ['NOT_FOUND'],
    callers: WRITERS,
    timeoutMs: 60_000,
  }),
  query: defineCall({
    subject: 'dataset.query',
    request: QueryRecords,
    reply: RecordPage,
    errors: ['NOT_FOUND'],
    callers: READERS,
  }),
  count: defineCall({
    subject: 'dataset.count',
    request: CountRecords,
    reply: Counted,
    errors: ['NOT_FOUND'],
    callers: READERS,
  }),
  search: defineCall({
    subject: 'dataset.search',
    request: SearchRecords,
    reply: SearchHits,
    errors: ['NOT_FOUND', ...EMBEDDING],
    callers: READERS,
    timeoutMs: 60_000,
  }),
  fullTextSearch: defineCall({
    subject: 'dataset.full-text-search',
    request: SearchText,
    reply: TextHits,
    errors: ['NOT_FOUND'],
    callers: READERS,
  }),
  hybridSearch: defineCall({
    subject: 'dataset.hybrid-search',
    request: SearchRecords,
    reply: SearchHits,
    errors: ['NOT_FOUND', ...EMBEDDING],
    callers: READERS,
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
    callers: ['gateway'],
  }),
  appendImport: defineCall({
    subject: 'dataset.append-import',
    request: AppendImport,
    reply: ImportProgress,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
    timeoutMs: 10_000,
  }),
  finishImport: defineCall({
    subject: 'dataset.finish-import',
    request: ImportById,
    reply: ImportEnd,
    errors: ['NOT_FOUND', 'CONFLICT'],
    callers: ['gateway'],
    timeoutMs: 60_000,
  }),
  abandonImport: defineCall({
    subject: 'dataset.abandon-import',
    request: ImportById,
    reply: Nothing,
    callers: ['gateway'],
  }),
  getImport: defineCall({
    subject: 'dataset.get-import',
    request: ImportOfDataset,
    reply: ImportJobView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  listImports: defineCall({
    subject: 'dataset.list-imports',
    request: ImportsOfDataset,
    reply: pageOf(ImportJobView),
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  cancelImport: defineCall({
    subject: 'dataset.cancel-import',
    request: ImportOfDataset,
    reply: ImportJobView,
    errors: ['NOT_FOUND', 'JOB_FINISHED'],
    callers: ['gateway'],
  }),

  setWatch: defineCall({
    subject: 'dataset.set-watch',
    request: SetWatch,
    reply: Nothing,
    errors: ['NOT_FOUND'],
    callers: ['event-bus'],
  }),
};
