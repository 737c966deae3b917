import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { ContentItem } from './content-items';
import { TranscriptRole, ToolCallRecord } from './message';

export const SUMMARY_STATES = ['NONE', 'CURRENT', 'STALE'] as const;
export type SummaryState = (typeof SUMMARY_STATES)[number];

export class ContextMessage {
  @Field(f.id()) id!: string;
  @Field(f.int({ min: 1 })) seq!: number;
  @Field(f.oneOf(['user', 'assistant', 'tool'])) role!: Exclude<TranscriptRole, 'event'>;
  @Field(f.list(f.object(() => ContentItem))) content!: ContentItem[];
  @Field(f.list(f.object(() => ToolCallRecord)), { optional: true }) toolCalls?: ToolCallRecord[];
  @Field(f.text(), { optional: true }) toolCallId?: string;
  @Field(f.text(), { optional: true }) name?: string;
}

/**
 * A model's view of the conversation: a summary of the older part, then recent messages, oldest first. Tool calls stay
 * with their results; large attachments of older turns are only named. The summary derives from user and tool content,
 * so it belongs in a user message, never in the system prompt.
 */
export class ModelContext {
  @Field(f.text(), { nullable: true }) summary!: string | null;
  @Field(f.list(f.object(() => ContextMessage))) messages!: ContextMessage[];
  @Field(f.int({ min: 0 }), { description: 'Tokens of summary and messages.' }) tokens!: number;
}

/** Usage of the model's context window. The gateway spells it in snake_case. */
export class ContextStatus {
  @Field(f.id()) sessionId!: string;
  @Field(f.text()) model!: string;
  @Field(f.int({ min: 0 })) usedTokens!: number;
  @Field(f.int({ min: 0 })) remainingTokens!: number;
  @Field(f.int({ min: 0 })) maxTokens!: number;
  @Field(f.bool()) estimated!: boolean;
  @Field(f.int({ min: 0 })) compactionCount!: number;
  @Field(f.oneOf(SUMMARY_STATES)) summaryState!: SummaryState;
  @Field(f.int({ min: 0 })) messageCount!: number;
}

export class CompactionResult extends ContextStatus {
  @Field(f.bool()) compacted!: boolean;
  @Field(f.int({ min: 0 })) tokensBefore!: number;
  @Field(f.int({ min: 0 })) tokensAfter!: number;
}

export class ContextOf {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) sessionId!: string;
}

/**
 * Compaction between two model steps of a leased turn. The turn's own messages stay. Without `force` it does nothing
 * below 80% of the window.
 */
export class CompactForTurn {
  @Field(f.id()) key!: string;
  @Field(f.int({ min: 1 })) epoch!: number;
  @Field(f.int({ min: 0 }), {
    optional: true,
    description:
      'Tokens that the model call has beside summary and messages: system prompt, tools, steps of this turn.',
  })
  extraTokens?: number;
  @Field(f.bool(), { optional: true }) force?: boolean;
  @Field(f.bool(), { optional: true, description: 'The turn has no worker: it waits for its user.' })
  isWaiting?: boolean;
}

export class CompactedForTurn {
  @Field(f.bool()) compacted!: boolean;
  @Field(f.object(() => ContextStatus)) status!: ContextStatus;
  @Field(f.object(() => ModelContext), { nullable: true, description: 'The new context; null when nothing changed.' })
  context!: ModelContext | null;
}
