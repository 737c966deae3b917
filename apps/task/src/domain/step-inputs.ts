import {
  type Class,
  ContentItem,
  DATASET_OPERATIONS,
  DATASET_OPERATION_NAMES,
  type DatasetOperation,
  ExecuteSettings,
  Field,
  ModelSettings,
  type StepType,
  f,
  isDatasetOperation,
  OURS,
  SIZES,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

class AgentStepFields {
  @Field(f.id()) agentId!: string;
  @Field(f.record(SIZES.inputs), { optional: true }) inputs?: JsonObject;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true },
  )
  contents?: ContentItem[];
}

class AgentStepInput extends AgentStepFields {
  @Field(f.object(() => ExecuteSettings), { optional: true }) settings?: ExecuteSettings;
}

/** Tasks were once saved with the names that a chat has for its settings: they go on running. */
export class KnownSettings extends ModelSettings {
  @Field(f.int({ min: 1 }), { optional: true }) maxTokens?: number;
}

export class KnownAgentStepInput extends AgentStepFields {
  @Field(f.object(() => KnownSettings), { optional: true }) settings?: KnownSettings;
}

export class HttpStepInput {
  @Field(f.text({ min: 1, max: 8192 })) url!: string;
  @Field(f.oneOf(HTTP_METHODS), { optional: true }) method?: (typeof HTTP_METHODS)[number];
  @Field(f.record(OURS, f.schema({ type: ['string', 'number', 'boolean'] })), { optional: true }) headers?: Record<
    string,
    string | number | boolean
  >;
  @Field(f.json(OURS), { optional: true }) body?: unknown;
  @Field(f.oneOf(['json', 'text'] as const), { optional: true }) responseType?: 'json' | 'text';
  @Field(f.number({ min: 0.1, max: 300 }), { optional: true }) timeoutSeconds?: number;
}

export class DatasetStepInput {
  @Field(f.id()) datasetId!: string;
  @Field(f.oneOf(DATASET_OPERATION_NAMES)) operation!: DatasetOperation;
}

export class EmitStepInput {
  @Field(f.text({ min: 1, max: 63 })) appIdentifier!: string;
  @Field(f.text({ min: 1, max: 128 })) event!: string;
  @Field(f.record(SIZES.body)) payload!: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true }) idempotencyKey?: string;
}

export class WaitStepInput {
  @Field(f.number({ min: 0, max: 86_400 })) seconds!: number;
}

/** What a step holds when it is saved, when its templates are allowed, or when it runs, and they are filled in. */
export type Templates = 'allowed' | 'filled';

interface StepShape {
  /** All of them, a field that two name being the later one's. */
  types: Class[];
  /** Whether `with` may have other fields too: the operation of a dataset may be a template. */
  isOpen: boolean;
}

/** What `with` must hold; null for a step that takes any object. */
export function shapeOf(type: StepType, input: Record<string, unknown>, templates: Templates): StepShape | null {
  switch (type) {
    case 'agent':
      return { types: [templates === 'allowed' ? AgentStepInput : KnownAgentStepInput], isOpen: false };
    case 'http':
      return { types: [HttpStepInput], isOpen: false };
    case 'dataset': {
      const { operation } = input;
      return isDatasetOperation(operation)
        ? { types: [DATASET_OPERATIONS[operation].request, DatasetStepInput], isOpen: false }
        : { types: [DatasetStepInput], isOpen: true };
    }
    case 'emit':
      return { types: [EmitStepInput], isOpen: false };
    case 'wait':
      return { types: [WaitStepInput], isOpen: false };
    case 'transform':
      return null;
  }
}
