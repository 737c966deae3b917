import { f, Field, SUMMARY_STATES, type SummaryState } from '@switchyard/contracts';

export class ContextStatusBody {
  @Field(f.id()) session_id!: string;
  @Field(f.text()) model!: string;
  @Field(f.int(), { description: 'Tokens of the summary and of the messages after it.' }) used_tokens!: number;
  @Field(f.int()) remaining_tokens!: number;
  @Field(f.int(), { description: 'What the model’s window holds.' }) max_tokens!: number;
  @Field(f.bool(), { description: 'True when the numbers are our tokenizer’s, not the upstream’s own.' })
  estimated!: boolean;
  @Field(f.int()) compaction_count!: number;
  @Field(f.oneOf(SUMMARY_STATES), { description: 'STALE: messages have come since the summary was made.' })
  summary_state!: SummaryState;
  @Field(f.int(), { description: 'User, assistant and tool messages of the transcript.' }) message_count!: number;
}

export class CompactionBody extends ContextStatusBody {
  @Field(f.bool(), { description: 'False when there was nothing older than the last exchange.' }) compacted!: boolean;
  @Field(f.int()) tokens_before!: number;
  @Field(f.int()) tokens_after!: number;
}
