import type { Ctx, InteractionView, TurnIdentity, TurnRecord } from '@switchyard/contracts';
import { requireSpace, requireUser } from '@switchyard/contracts';
import type { InteractionRow } from '../db/interactions.repository';
import type { TurnRow } from '../db/turns.repository';

export const viewOfInteraction = (row: InteractionRow): InteractionView => ({
  id: row.id,
  turnId: row.turnId,
  sessionId: row.sessionId,
  purpose: row.purpose,
  kind: row.form.kind,
  prompt: row.form.prompt,
  options: row.form.options,
  allowOther: row.form.allowOther ?? false,
  ...(row.form.minSelections === undefined ? {} : { minSelections: row.form.minSelections }),
  ...(row.form.maxSelections === undefined ? {} : { maxSelections: row.form.maxSelections }),
  ...(row.approver === null ? {} : { by: row.approver }),
  ...(row.calls === null ? {} : { calls: row.calls }),
  status: row.status,
  ...(row.status === 'ANSWERED'
    ? { selectedOptionIds: row.selectedOptionIds ?? [], otherText: row.otherText, answeredBy: row.answeredBy }
    : {}),
  createdAt: row.createdAt,
  answeredAt: row.answeredAt,
  expiresAt: row.expiresAt,
});

type Recorded = Omit<TurnRow, 'fingerprint' | 'identity' | 'state' | 'claimReason' | 'recoveries'>;

export const recordOf = (row: Recorded, interaction: InteractionRow | null = null): TurnRecord => ({
  id: row.turnId,
  agentId: row.agentId,
  sessionId: row.sessionId,
  status: row.status,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
  error: row.error,
  key: row.id,
  userId: row.userId,
  epoch: row.epoch,
  owner: row.owner,
  cancelRequested: row.cancelRequestedAt !== null,
  finishReason: row.finishReason,
  usage: row.usage,
  result: row.result ?? null,
  interaction: interaction === null ? null : viewOfInteraction(interaction),
  ...(row.input['isUnstored'] === true ? { isUnstored: true } : {}),
});

export const identityOf = (ctx: Ctx): TurnIdentity => ({
  spaceId: requireSpace(ctx),
  userId: requireUser(ctx),
  role: ctx.role,
  scopes: [...ctx.scopes],
  credentialId: ctx.credentialId,
  credentialType: ctx.credentialType,
  applicationId: ctx.applicationId,
  causationId: ctx.causationId,
  correlationId: ctx.correlationId,
  depth: ctx.depth,
  ...(ctx.lineage === undefined ? {} : { lineage: ctx.lineage }),
  ...(ctx.traceparent === undefined ? {} : { traceparent: ctx.traceparent }),
});

/**
 * A user's own answer to a question continues the turn with the rights of the answer. An approval lends no rights, also
 * not those of the turn's user: what a revoked key has asked for must not run by another credential. The cause stays
 * that of the turn: with that of the answer, a turn of a job or of a task would leave its tree of causes, and the loop
 * guard would count from the start.
 */
export function identityAfterAnswer(
  ctx: Ctx,
  turn: Pick<TurnRow, 'userId' | 'identity'>,
  { purpose }: Pick<InteractionRow, 'purpose'>,
): TurnIdentity {
  if (turn.userId !== ctx.userId || purpose === 'approval') return turn.identity;
  const { causationId, correlationId, depth, lineage } = turn.identity;
  return identityOf({ ...ctx, causationId, correlationId, depth, lineage });
}
