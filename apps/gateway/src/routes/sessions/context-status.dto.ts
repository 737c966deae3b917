import { f, Described, Field, SUMMARY_STATES, type SummaryState } from '@switchyard/contracts';

@Described("Use of the model's context window in a session.")
export class ContextStatusBody {
  @Field(f.id()) session_id!: string;
  @Field(f.text(), { description: 'Model whose context is measured.' }) model!: string;
  @Field(f.int(), { description: 'Tokens of the summary and of the messages after it.' }) used_tokens!: number;
  @Field(f.int(), { description: 'Tokens that still fit.' }) remaining_tokens!: number;
  @Field(f.int(), { description: 'Size of the model’s context window.' }) max_tokens!: number;
  @Field(f.bool(), { description: 'True when the numbers are our tokenizer’s, not the upstream’s own.' })
  estimated!: boolean;
  @Field(f.int(), { description: 'Number of compactions so far.' }) compaction_count!: number;
  @Field(f.oneOf(SUMMARY_STATES), { description: 'STALE: messages have come since the summary was made.' })
  summary_state!: SummaryState;
  @Field(f.int(), { description: 'User, assistant and tool messages of the transcript.' }) message_count!: number;
}

@Described('Status of the context after a compaction.')
export class CompactionBody extends ContextStatusBody {
  @Field(f.bool(), { description: 'False when there was nothing older than the last exchange.' }) compacted!: boolean;
  @Field(f.int(), { description: 'Tokens of the context before the compaction.' }) tokens_before!: number;
  @Field(f.int(), { description: 'Tokens of the context after the compaction.' }) tokens_after!: number;
}
