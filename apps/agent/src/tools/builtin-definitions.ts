import type { BuiltinTool, ModelTool } from '@switchyard/contracts';

const text = (description: string): object => ({ type: 'string', description });
const id = (description: string): object => ({ type: 'string', format: 'uuid', description });
const filter = {
  type: 'object',
  description: 'Conditions on fields: {"price": {"gte": 10}, "state": ["new", "open"]}.',
};
const object = (properties: object, required: string[]): ModelTool['parameters'] => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** How the built-in tools are described to a model. */
export const BUILTIN_DEFINITIONS: Readonly<Record<BuiltinTool, ModelTool>> = {
  ask_user: {
    name: 'ask_user',
    description: 'Asks the user to choose between options, and waits for the answer.',
    parameters: object(
      {
        kind: { enum: ['single_choice', 'multiple_choice'] },
        prompt: text('The question.'),
        options: {
          type: 'array',
          items: object(
            { id: text('Short and unique.'), label: text('What the user reads.'), description: text('More about it.') },
            ['id', 'label'],
          ),
        },
        allowOther: { type: 'boolean', description: 'Whether the user may answer in own words.' },
        minSelections: { type: 'integer', minimum: 0 },
        maxSelections: { type: 'integer', minimum: 1 },
      },
      ['kind', 'prompt', 'options'],
    ),
  },
  search_datasets: {
    name: 'search_datasets',
    description: 'Finds records of a dataset by meaning.',
    parameters: object(
      {
        datasetId: id('The dataset.'),
        query: text('What to look for.'),
        topK: { type: 'integer', minimum: 1, maximum: 100 },
        filter,
      },
      ['datasetId', 'query'],
    ),
  },
  query_dataset: {
    name: 'query_dataset',
    description: 'Reads records of a dataset by conditions.',
    parameters: object(
      {
        datasetId: id('The dataset.'),
        filter,
        sort: {
          type: 'array',
          items: object({ field: text('A field.'), direction: { enum: ['asc', 'desc'] } }, ['field']),
        },
        limit: { type: 'integer', minimum: 1, maximum: 1000 },
      },
      ['datasetId'],
    ),
  },
  write_dataset: {
    name: 'write_dataset',
    description: 'Inserts, updates, deletes or reads records of a dataset.',
    parameters: {
      type: 'object',
      properties: {
        datasetId: id('The dataset.'),
        operation: { enum: ['insert', 'update', 'delete', 'query', 'count', 'search'] },
        records: { type: 'array', items: { type: 'object' }, description: 'For insert.' },
        onConflict: { type: 'object', description: 'For insert: {field, action: UPDATE or SKIP}.' },
        filter,
        ids: { type: 'array', items: { type: 'string' } },
        set: { type: 'object', description: 'For update: the new values.' },
        all: { type: 'boolean', description: 'For update and delete: means every record.' },
        query: { type: 'string', description: 'For search.' },
        topK: { type: 'integer', description: 'For search.' },
        sort: { type: 'array', items: { type: 'object' }, description: 'For query: {field, direction}.' },
        limit: { type: 'integer', description: 'For query.' },
      },
      required: ['datasetId', 'operation'],
    },
  },
  run_task: {
    name: 'run_task',
    description: 'Starts a task of the Space and says under which execution it runs.',
    parameters: object({ taskId: id('The task.'), inputs: { type: 'object' } }, ['taskId']),
  },
  emit_event: {
    name: 'emit_event',
    description: 'Emits a registered event of an installed application.',
    parameters: object(
      { appIdentifier: text('The application.'), event: text('The event.'), payload: { type: 'object' } },
      ['appIdentifier', 'event', 'payload'],
    ),
  },
  web_search: {
    name: 'web_search',
    description: 'Searches the web.',
    parameters: object({ query: text('What to search for.') }, ['query']),
  },
  save_memory: {
    name: 'save_memory',
    description: 'Keeps a note about this user for later conversations.',
    parameters: object({ text: text('The note.') }, ['text']),
  },
};
