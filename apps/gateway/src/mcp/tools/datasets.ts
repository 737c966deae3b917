import { DatasetCalls, DatasetView, Field, InsertRecords, Inserted, f } from '@switchyard/contracts';
import { defineTool, toolOf } from '../tool';
import { KeyField } from '../tool-key';

class DatasetById {
  @Field(f.id()) datasetId!: string;
}

class InsertArguments extends InsertRecords {
  @KeyField() idempotencyKey?: string;
}

export const datasetTools = [
  toolOf({
    name: 'list_datasets',
    title: 'List datasets',
    description: 'The datasets of the Space, newest first.',
    calls: DatasetCalls.list,
    hints: { readOnly: true },
  }),
  defineTool({
    name: 'get_dataset',
    title: 'Read a dataset',
    description: 'A dataset with its schema: the names that queries and records must use.',
    calls: DatasetCalls.get,
    hints: { readOnly: true },
    input: DatasetById,
    output: DatasetView,
    run: (input, { bus, ctx }) => bus.call(DatasetCalls.get, ctx, { id: input.datasetId }),
  }),
  toolOf({
    name: 'query_dataset',
    title: 'Query records',
    description:
      'Records by ids or filter, sorted and page by page. Filter: {field: value}, {field: [values]}, {field: {gt: 1}}, and, or, not.',
    calls: DatasetCalls.query,
    hints: { readOnly: true },
  }),
  toolOf({
    name: 'count_records',
    title: 'Count records',
    description: 'The exact number of records that fulfil a filter.',
    calls: DatasetCalls.count,
    hints: { readOnly: true },
  }),
  toolOf({
    name: 'search_dataset',
    title: 'Search by meaning',
    description: 'The records whose text is nearest in meaning to a query.',
    calls: DatasetCalls.search,
    hints: { readOnly: true },
  }),
  toolOf({
    name: 'full_text_search_dataset',
    title: 'Search by words',
    description: 'Records that hold the words of a query; "phrases", or, and -words work as in a web search.',
    calls: DatasetCalls.fullTextSearch,
    hints: { readOnly: true },
  }),
  defineTool({
    name: 'insert_records',
    title: 'Insert records',
    description: 'Inserts 1 to 1000 records: all of them, or none.',
    calls: DatasetCalls.insert,
    hints: {},
    input: InsertArguments,
    output: Inserted,
    run: (input, { bus, ctx }) => bus.call(DatasetCalls.insert, ctx, input),
  }),
  toolOf({
    name: 'update_records',
    title: 'Update records',
    description: 'Sets values on the records of a filter or of ids.',
    calls: DatasetCalls.update,
    hints: { destructive: true, idempotent: true },
  }),
  toolOf({
    name: 'delete_records',
    title: 'Delete records',
    description: 'Deletes the records of a filter or of ids.',
    calls: DatasetCalls.deleteRecords,
    hints: { destructive: true, idempotent: true },
  }),
];
