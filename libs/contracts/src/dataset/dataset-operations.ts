import { DatasetCalls } from './dataset-calls';

/** What a dataset step of a task and an agent's `write_dataset` may do, and the call that does it. */
export const DATASET_OPERATIONS = {
  insert: DatasetCalls.insert,
  update: DatasetCalls.update,
  delete: DatasetCalls.deleteRecords,
  query: DatasetCalls.query,
  count: DatasetCalls.count,
  search: DatasetCalls.search,
} as const;
export type DatasetOperation = keyof typeof DATASET_OPERATIONS;

export const isDatasetOperation = (value: unknown): value is DatasetOperation =>
  typeof value === 'string' && Object.hasOwn(DATASET_OPERATIONS, value);
