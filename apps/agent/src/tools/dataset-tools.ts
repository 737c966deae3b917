import { isId, type JsonObject } from '@switchyard/kernel';
import {
  type CallContract,
  type Class,
  DATASET_OPERATIONS,
  DATASET_OPERATION_NAMES,
  DatasetCalls,
  QueryRecords,
  SearchRecords,
  checkRequest,
  isDatasetOperation,
  resultOfOperation,
} from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { callAsTool, onceCtx, ToolError, type ToolRun } from '../toolkit/tool';

/** Arguments of a model, held to the contract of the call that they are for. */
function checked<T extends object>(type: Class<T>, args: JsonObject): T {
  checkRequest(type, args);
  return args as T;
}

export const searchDatasets = async (bus: Bus, args: JsonObject, run: ToolRun): Promise<unknown> =>
  (await callAsTool(bus, DatasetCalls.search, run.ctx, checked(SearchRecords, args))).items;

export const queryDataset = async (bus: Bus, args: JsonObject, run: ToolRun): Promise<unknown> =>
  (await callAsTool(bus, DatasetCalls.query, run.ctx, checked(QueryRecords, args))).items;

/** The same shape as a task's dataset step. */
export async function writeDataset(bus: Bus, args: JsonObject, run: ToolRun): Promise<unknown> {
  const { operation, ...rest } = args;
  if (!isId(rest['datasetId'])) throw new ToolError('INVALID_ARGUMENTS', 'datasetId must be a UUID.');
  if (!isDatasetOperation(operation))
    throw new ToolError('INVALID_ARGUMENTS', `operation must be one of ${DATASET_OPERATION_NAMES.join(', ')}.`);
  const contract: CallContract = DATASET_OPERATIONS[operation];
  const ctx = contract.idempotent ? onceCtx(run, args) : run.ctx;
  return resultOfOperation(operation, await callAsTool(bus, contract, ctx, checked(contract.request, rest)));
}
