import type { CompactionResult, ContextStatus } from '@switchyard/contracts';
import type { CompactionBody, ContextStatusBody } from './context-status.dto';

const fieldsOf = (status: ContextStatus) => ({
  session_id: status.sessionId,
  model: status.model,
  used_tokens: status.usedTokens,
  remaining_tokens: status.remainingTokens,
  max_tokens: status.maxTokens,
  estimated: status.estimated,
  compaction_count: status.compactionCount,
  summary_state: status.summaryState,
  message_count: status.messageCount,
});

export const contextStatusBody = (status: ContextStatus): ContextStatusBody => fieldsOf(status);

export const compactionBody = (result: CompactionResult): CompactionBody => ({
  ...fieldsOf(result),
  compacted: result.compacted,
  tokens_before: result.tokensBefore,
  tokens_after: result.tokensAfter,
});
