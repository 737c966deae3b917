import { type Attribution, type Ctx, isLimited } from '@switchyard/contracts';
import { mergeFast } from '@switchyard/kernel';
import { type CallFacts, type Due, type Lease, type CallReservation, leaseKeyOf } from '../db/ledger-batch.repository';
import type { Settlement } from './token-reservation';

export interface CallToMeter {
  model: string;
  /** The prompt, as well as it is known before the call. */
  promptTokens: number;
  /** Reserved tokens: the prompt and the longest answer. */
  reserveTokens: number;
  attribution: Attribution;
  requestKey?: string;
}

/** A key with limits counts its calls itself: each of them has a row. */
export const leaseOf = ({
  spaceId,
  tokens,
  facts,
  key,
}: Pick<CallReservation, 'spaceId' | 'tokens' | 'facts' | 'key'>): Lease | undefined =>
  key === undefined ? { spaceId, keyId: leaseKeyOf(facts), tokens } : undefined;

export function factsOf(ctx: Ctx, call: CallToMeter): CallFacts {
  const { attribution } = call;
  return {
    model: call.model,
    promptTokens: call.promptTokens,
    source: attribution.source,
    agentId: attribution.agentId,
    sessionId: attribution.sessionId,
    turnId: attribution.turnId,
    taskId: attribution.taskId,
    jobId: attribution.jobId,
    userId: ctx.userId,
    keyId: isLimited(ctx) || ctx.credentialType === 'system_key' ? ctx.credentialId : null,
    requestKey: call.requestKey,
  };
}

export function dueOf(
  hold: { spaceId: string; id: string },
  facts: CallFacts | undefined,
  settlement: Settlement | null,
): Due {
  if (!settlement) return { spaceId: hold.spaceId, id: hold.id, tokens: 0, entry: null };
  const { counts } = settlement;
  return {
    spaceId: hold.spaceId,
    id: hold.id,
    tokens: counts.promptTokens + counts.completionTokens,
    entry: mergeFast(facts, {
      model: settlement.model,
      upstream: settlement.upstream,
      promptTokens: counts.promptTokens,
      completionTokens: counts.completionTokens,
      estimated: counts.estimated,
      cost: settlement.cost,
      outcome: settlement.outcome,
      // Only a completed call uses its key up: one that was cut off is metered as what was seen, and so is its repeat.
      requestKey: settlement.outcome === 'completed' ? facts?.requestKey : undefined,
    }),
  };
}
