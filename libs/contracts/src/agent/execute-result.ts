import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';
import { REASONING_MAX } from '../session/message';
import { ANSWER_MAX, REASONING_TEXT, TurnResult, UsageReport } from './turn-result';

@Described('Result of an execute, also stored by jobs and task steps.')
export class ExecuteResult {
  @Field(f.text({ max: ANSWER_MAX }), { description: 'Text of the answer.' }) answer!: string;
  @Field(f.text({ max: REASONING_MAX }), { optional: true, description: REASONING_TEXT }) reasoning?: string;
  @Field(f.id()) agent_id!: string;
  @Field(f.number(), { description: 'Seconds.' }) execution_time!: number;
  @Field(f.object(() => UsageReport)) token_usage!: UsageReport;
  @Field(f.id(), { optional: true, description: 'The conversation, when one was used.' }) session_id?: string;
  @Field(f.json(PLATFORM_WRITTEN), {
    optional: true,
    description: 'The parsed answer of an agent with a responseSchema.',
  })
  output?: unknown;
}

export const executeResultOf = (turn: TurnResult): ExecuteResult => ({
  answer: turn.answer,
  ...(turn.reasoning === undefined ? {} : { reasoning: turn.reasoning }),
  agent_id: turn.agent_id,
  execution_time: turn.execution_time,
  token_usage: turn.token_usage,
  ...(turn.session_id === null ? {} : { session_id: turn.session_id }),
  ...(turn.output === undefined ? {} : { output: turn.output }),
});
