import type { SessionRow } from '../db/sessions.repository';
import { summaryState } from '../domain/model-context';

/**
 * Our tokenizer may differ from the upstream's, so the numbers are always marked as estimates:
 * only the upstream's own bill is exact, and it covers more than the context.
 */
export const statusOf = (
  session: Pick<SessionRow, 'id' | 'compactionCount' | 'messageCount' | 'summary' | 'compactedSeq' | 'lastSeq'>,
  usedTokens: number,
  model: { id: string; contextWindow: number },
) => ({
  sessionId: session.id,
  model: model.id,
  usedTokens,
  remainingTokens: Math.max(0, model.contextWindow - usedTokens),
  maxTokens: model.contextWindow,
  estimated: true,
  compactionCount: session.compactionCount,
  summaryState: summaryState(session),
  messageCount: session.messageCount,
});
