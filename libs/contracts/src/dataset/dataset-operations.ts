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
export const DATASET_OPERATION_NAMES = Object.keys(DATASET_OPERATIONS) as DatasetOperation[];

export const isDatasetOperation = (value: unknown): value is DatasetOperation =>
  typeof value === 'string' && Object.hasOwn(DATASET_OPERATIONS, value);

/** What a list answers beside its rows is for paging: steps and models work with the rows. */
export const resultOfOperation = (operation: DatasetOperation, answer: object): unknown =>
  (operation === 'query' || operation === 'search') && 'items' in answer ? answer.items : answer;
