import { isId, type JsonObject } from '@switchyard/kernel';
import {
  checkRequest,
  type Class,
  CountRecords,
  DatasetCalls,
  DeleteRecords,
  InsertRecords,
  QueryRecords,
  SearchRecords,
  UpdateRecords,
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
  switch (operation) {
    case 'insert':
      return callAsTool(bus, DatasetCalls.insert, onceCtx(run, args), checked(InsertRecords, rest));
    case 'update':
      return callAsTool(bus, DatasetCalls.update, run.ctx, checked(UpdateRecords, rest));
    case 'delete':
      return callAsTool(bus, DatasetCalls.deleteRecords, run.ctx, checked(DeleteRecords, rest));
    case 'query':
      return queryDataset(bus, rest, run);
    case 'count':
      return callAsTool(bus, DatasetCalls.count, run.ctx, checked(CountRecords, rest));
    case 'search':
      return searchDatasets(bus, rest, run);
    default:
      throw new ToolError('INVALID_ARGUMENTS', 'operation must be insert, update, delete, query, count or search.');
  }
}
