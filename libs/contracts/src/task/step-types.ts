import type { JsonObject } from '@switchyard/kernel';
import { ExecuteSettings, ModelSettings } from '../agent/model-settings';
import {
  DATASET_OPERATIONS,
  DATASET_OPERATION_NAMES,
  type DatasetOperation,
  isDatasetOperation,
} from '../dataset/dataset-operations';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { type Class, f } from '../fields/field-schema';
import { ContentItem } from '../session/content-items';
import { SIZES } from '../input-size-limits';

const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

class AgentStepFields {
  @Field(f.id()) agentId!: string;
  @Field(f.record(SIZES.inputs), { optional: true, description: 'Inputs, as in an execute.' }) inputs?: JsonObject;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true, description: 'Content items, as in a chat.' },
  )
  contents?: ContentItem[];
}

class AgentStepInput extends AgentStepFields {
  @Field(f.object(() => ExecuteSettings), { optional: true, description: 'Settings of the call.' })
  settings?: ExecuteSettings;
}

/** Settings in stored tasks: of an execute, or of a chat under their older names. */
export class StoredStepSettings extends ModelSettings {
  @Field(f.int({ min: 1 }), { optional: true, description: 'Most tokens of the answer.' }) maxTokens?: number;
}

@Described('Calls an agent. Output: the execute result.')
export class StoredAgentStepInput extends AgentStepFields {
  @Field(f.object(() => StoredStepSettings), { optional: true, description: 'Settings of the call.' })
  settings?: StoredStepSettings;
}

@Described('Sends an HTTP request. Output: `{status, headers, body}`. Statuses from 400 fail the step.')
export class HttpStepInput {
  @Field(f.text({ min: 1, max: 8192 }), { description: 'URL of the request.' }) url!: string;
  @Field(f.oneOf(HTTP_METHODS), { optional: true, description: 'Method of the request; default `GET`.' })
  method?: (typeof HTTP_METHODS)[number];
  @Field(f.record(PLATFORM_WRITTEN, f.schema({ type: ['string', 'number', 'boolean'] })), {
    optional: true,
    description: 'Headers of the request.',
  })
  headers?: Record<string, string | number | boolean>;
  @Field(f.json(PLATFORM_WRITTEN), { optional: true, description: 'Body: JSON, or text.' }) body?: unknown;
  @Field(f.oneOf(['json', 'text'] as const), {
    optional: true,
    description: 'How the answer is read: `json` or `text`.',
  })
  responseType?: 'json' | 'text';
  @Field(f.number({ min: 0.1, max: 300 }), { optional: true, description: 'Time limit of the request in seconds.' })
  timeoutSeconds?: number;
}

@Described('Runs an operation of a dataset. Give the fields of its request body beside these. Output: its answer.')
export class DatasetStepInput {
  @Field(f.id()) datasetId!: string;
  @Field(f.oneOf(DATASET_OPERATION_NAMES), { description: 'Operation on the records.' }) operation!: DatasetOperation;
}

@Described('Emits an event. Output: `{envelopeId, status, duplicate}`.')
export class EmitStepInput {
  @Field(f.text({ min: 1, max: 63 })) appIdentifier!: string;
  @Field(f.text({ min: 1, max: 128 }), { description: 'Name of the event.' }) event!: string;
  @Field(f.record(SIZES.body), { description: 'Payload of the event.' }) payload!: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'A repeated emission with the same key is recorded once.',
  })
  idempotencyKey?: string;
}

@Described('Waits. Output: `{seconds}`.')
export class WaitStepInput {
  @Field(f.number({ min: 0, max: 86_400 }), { description: 'Seconds to wait.' }) seconds!: number;
}

/** Classes with the fields of `with`; the later class wins. Open: other fields are allowed. */
export interface StepInput {
  types: readonly Class[];
  isOpen?: boolean;
}

export interface StepTypeDeclaration {
  /** The class of `with` after its templates are filled. Null: any object. */
  input: (given: JsonObject) => StepInput | null;
  /** The class of `with` when a task is saved, if it differs. */
  savedInput?: (given: JsonObject) => StepInput;
  /** For the table of docs/guides/tasks.md: the fields of `with`, and the step's output. */
  withText: string;
  outputText: string;
  /** Initial `with` of a new step in the console. */
  example: JsonObject;
}

const fixed =
  (...types: Class[]) =>
  (): StepInput => ({ types });

function datasetInput({ operation }: JsonObject): StepInput {
  if (isDatasetOperation(operation)) return { types: [DATASET_OPERATIONS[operation].request, DatasetStepInput] };
  // The operation may be a template.
  return { types: [DatasetStepInput], isOpen: true };
}

/**
 * All step types, in display order, for the API, validation, documentation and console. Their executors are in the task
 * service (`steps/step-executors.ts`).
 */
export const STEP_DECLARATIONS = {
  agent: {
    input: fixed(StoredAgentStepInput),
    savedInput: fixed(AgentStepInput),
    withText: '`agentId`, `inputs?`, `contents?`, `settings?`, as in an execute',
    outputText: 'the result of the execute; the step occupies no worker while it waits',
    example: { agentId: '', inputs: { query: '{{ execution.inputs.query }}' } },
  },
  http: {
    input: fixed(HttpStepInput),
    withText: '`url`, `method?`, `headers?`, `body?`, `responseType?`, `timeoutSeconds?`',
    outputText: '`{status, headers, body}`; a status of 400 or above fails the step',
    example: { method: 'GET', url: 'https://' },
  },
  dataset: {
    input: datasetInput,
    withText: '`datasetId`, `operation`, and the body of that operation',
    outputText: 'the response of the operation; of a query, its records',
    example: { datasetId: '', operation: 'query', filter: {} },
  },
  emit: {
    input: fixed(EmitStepInput),
    withText: '`appIdentifier`, `event`, `payload`, `idempotencyKey?`',
    outputText: '`{envelopeId, status, duplicate}`',
    example: { appIdentifier: '', event: '', payload: {} },
  },
  transform: {
    input: () => null,
    withText: 'any object',
    outputText: 'the same object, with its templates filled in',
    example: { value: '{{ execution.inputs }}' },
  },
  wait: {
    input: fixed(WaitStepInput),
    withText: '`seconds`',
    outputText: '`{seconds}`; the step occupies no worker while it waits',
    example: { seconds: 10 },
  },
} satisfies Record<string, StepTypeDeclaration>;

export type StepType = keyof typeof STEP_DECLARATIONS;
export const STEP_TYPES = Object.keys(STEP_DECLARATIONS) as StepType[];
export const stepDeclaration = (type: StepType): StepTypeDeclaration => STEP_DECLARATIONS[type];
