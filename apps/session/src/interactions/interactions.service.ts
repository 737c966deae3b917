import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type AnsweredInteraction,
  type AnswerInteraction,
  type Ctx,
  DEFAULT_PAGE,
  type InteractionView,
  type ListPendingInteractions,
  type Page,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, encodeCursor, idOfCursor } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { type InteractionRow, interactionsRepository } from '../db/interactions.repository';
import { type TurnRow, turnsRepository } from '../db/turns.repository';
import { checkAnswer } from '../domain/interaction-answer';
import { checkAgentOf } from '../domain/session-access';
import { SessionConfig } from '../session.config';
import { readSession } from '../sessions/sessions.service';
import { TurnLeasesService } from '../turns/turn-leases.service';
import { identityOf, recordOf, viewOfInteraction } from '../turns/turn-record';

const absent = (): AppError => new AppError('NOT_FOUND', 'There is no such interaction.');

const INTERACTION_LIST = 'interactions';

@Injectable()
export class InteractionsService {
  constructor(
    private readonly database: Database,
    private readonly bus: Bus,
    private readonly leases: TurnLeasesService,
    private readonly config: SessionConfig,
  ) {}

  async listPending(ctx: Ctx, query: ListPendingInteractions): Promise<Page<InteractionView>> {
    const { agentId, sessionId, cursor } = query;
    if (agentId !== undefined) await this.bus.call(AgentCalls.checkCallable, ctx, { agentId });
    const limit = query.limit ?? DEFAULT_PAGE;
    const before = idOfCursor(INTERACTION_LIST, cursor);
    const rows = await this.database.transaction(ctx, async (tx) => {
      const session = sessionId === undefined ? null : await readSession(tx, ctx, sessionId);
      if (session && agentId !== undefined) checkAgentOf(session, agentId);
      const userId = session ? session.userId : requireUser(ctx);
      const filter = { userId, agentId: agentId ?? null, sessionId: sessionId ?? null, before, limit: limit + 1 };
      return interactionsRepository.listPending(tx, requireSpace(ctx), filter);
    });
    const items = rows.slice(0, limit).map(viewOfInteraction);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? encodeCursor(INTERACTION_LIST, [last.id]) : null };
  }

  /** The first fitting answer counts, and whoever gave it goes on with the turn; the others are told what counted. */
  answer(ctx: Ctx, data: AnswerInteraction): Promise<AnsweredInteraction> {
    return this.database.transaction(ctx, async (tx) => {
      const turn = await turnsRepository.findOwnLocked(tx, requireSpace(ctx), requireUser(ctx), data.turnId);
      if (!turn || turn.agentId !== data.agentId || turn.sessionId !== data.sessionId) {
        throw new AppError('NOT_FOUND', 'There is no such turn.');
      }
      const interaction = await interactionsRepository.find(tx, turn.spaceId, turn.id, data.interactionId);
      if (!interaction) throw absent();
      if (interaction.status === 'ANSWERED') {
        return { outcome: 'repeated', interaction: viewOfInteraction(interaction), turn: recordOf(turn), claim: null };
      }
      if (interaction.status !== 'PENDING' || interaction.overdue) {
        throw new AppError(
          'INTERACTION_NOT_PENDING',
          'This question is no longer open: it was cancelled or has expired.',
        );
      }
      return this.accept(tx, ctx, data, { turn, interaction });
    });
  }

  private async accept(
    tx: Tx,
    ctx: Ctx,
    data: AnswerInteraction,
    { turn, interaction }: { turn: TurnRow; interaction: InteractionRow },
  ): Promise<AnsweredInteraction> {
    const answer = checkAnswer(interaction.form, data);
    const answered = await interactionsRepository.answer(tx, turn.spaceId, interaction.id, answer);
    const by = { owner: data.owner, identity: identityOf(ctx) };
    const resumed = await turnsRepository.resume(tx, turn.spaceId, turn.id, by, this.config.SESSION_TURN_LEASE_SECONDS);
    if (!answered || !resumed) throw new AppError('INTERACTION_NOT_PENDING', 'This question is no longer open.');
    const claim = await this.leases.claimed(tx, resumed, 'answered');
    return { outcome: 'resumed', interaction: viewOfInteraction(answered), turn: claim.turn, claim };
  }
}
