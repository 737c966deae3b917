import { DatasetCalls } from './dataset-calls';

/** Operations of a task's dataset step and an agent's `write_dataset`, with their calls. */
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

/** For lists, only the rows: steps and models do not need the paging fields. */
export const resultOfOperation = (operation: DatasetOperation, answer: object): unknown =>
  (operation === 'query' || operation === 'search') && 'items' in answer ? answer.items : answer;
