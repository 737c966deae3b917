import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';

@Described('Settings of an execute, in the spelling of its API.')
export class ExecuteSettings {
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true, description: 'Most tokens of the answer.' }) maxTokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) top_p?: number;
  @Field(f.number(), { optional: true }) presence_penalty?: number;
  @Field(f.number(), { optional: true }) frequency_penalty?: number;
}

@Described('Sampling defaults of an agent; a call may override them.')
export class ModelSettings {
  @Field(f.number({ min: 0, max: 2 }), { optional: true, description: 'Sampling temperature, 0 to 2.' })
  temperature?: number;
  @Field(f.int({ min: 1 }), { optional: true, description: 'Most tokens the answer may have.' }) max_tokens?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true }) top_p?: number;
  @Field(f.number(), { optional: true }) frequency_penalty?: number;
  @Field(f.number(), { optional: true }) presence_penalty?: number;
}
