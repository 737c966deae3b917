import { Class, ContentItem, Field, ModelSettings, type StepType, f } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export const DATASET_OPERATIONS = ['insert', 'update', 'delete', 'query', 'count', 'search'] as const;
export type DatasetOperation = (typeof DATASET_OPERATIONS)[number];

export class AgentStepInput {
  @Field(f.id()) agentId!: string;
  @Field(f.record(), { optional: true }) inputs?: JsonObject;
  @Field(
    f.list(
      f.object(() => ContentItem),
      { min: 1, max: 64 },
    ),
    { optional: true },
  )
  contents?: ContentItem[];
  @Field(f.object(() => ModelSettings), { optional: true }) settings?: ModelSettings;
}

export class HttpStepInput {
  @Field(f.text({ min: 1, max: 8192 })) url!: string;
  @Field(f.oneOf(HTTP_METHODS), { optional: true }) method?: (typeof HTTP_METHODS)[number];
  @Field(f.record(f.schema({ type: ['string', 'number', 'boolean'] })), { optional: true }) headers?: Record<
    string,
    string | number | boolean
  >;
  @Field(f.json(), { optional: true }) body?: unknown;
  @Field(f.oneOf(['json', 'text'] as const), { optional: true }) responseType?: 'json' | 'text';
  @Field(f.number({ min: 0.1, max: 300 }), { optional: true }) timeoutSeconds?: number;
}

/** What belongs to the operation is checked by the dataset itself. */
export class DatasetStepInput {
  @Field(f.id()) datasetId!: string;
  @Field(f.oneOf(DATASET_OPERATIONS)) operation!: DatasetOperation;
}

export class EmitStepInput {
  @Field(f.text({ min: 1, max: 63 })) appIdentifier!: string;
  @Field(f.text({ min: 1, max: 128 })) event!: string;
  @Field(f.record()) payload!: JsonObject;
  @Field(f.text({ min: 1, max: 255 }), { optional: true }) idempotencyKey?: string;
}

export class WaitStepInput {
  @Field(f.number({ min: 0, max: 86_400 })) seconds!: number;
}

/** What `with` must hold. `open` ones take fields beyond these; a transform takes any object. */
export const STEP_INPUTS: Record<StepType, { type: Class; open: boolean } | null> = {
  agent: { type: AgentStepInput, open: false },
  http: { type: HttpStepInput, open: false },
  dataset: { type: DatasetStepInput, open: true },
  emit: { type: EmitStepInput, open: false },
  wait: { type: WaitStepInput, open: false },
  transform: null,
};
