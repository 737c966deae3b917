import { Injectable } from '@nestjs/common';
import {
  type CheckpointSaved,
  type ClosedTurn,
  type CloseTurn,
  type Ctx,
  type LeasedTurn,
  type InteractionView,
  type PauseTurn,
  requireSpace,
  type SaveCheckpoint,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, failpoint } from '@switchyard/kernel';
import { statusOf } from '../context/context-window-status';
import { InteractionsRepository } from '../db/interactions.repository';
import { MessagesRepository } from '../db/messages.repository';
import { SessionsRepository } from '../db/sessions.repository';
import { type ClosedAtOnce, TurnFastPathRepository } from '../db/turn-fast-path.repository';
import { type TurnRow, TurnsRepository } from '../db/turns.repository';
import { checkForm } from '../domain/interaction-form';
import { ApprovalMetrics } from './approval-metrics';
import { SessionConfig } from '../session.config';
import { TurnSignals } from './turn-signals';
import { viewOfInteraction } from './turn-views';

/** The holder of a turn writes under its epoch. A process that has lost the turn gets an error and writes nothing. */
const lapsed = (leased: LeasedTurn): AppError =>
  new AppError('CONFLICT', `This turn is no longer held under epoch ${leased.epoch}; stop working on it.`);

@Injectable()
export class TurnCheckpointsService {
  constructor(
    private readonly database: Database,
    private readonly interactions: InteractionsRepository,
    private readonly messages: MessagesRepository,
    private readonly sessions: SessionsRepository,
    private readonly fastPath: TurnFastPathRepository,
    private readonly turns: TurnsRepository,
    private readonly config: SessionConfig,
    private readonly signals: TurnSignals,
    private readonly counts: ApprovalMetrics,
  ) {}

  async saveCheckpoint(ctx: Ctx, data: SaveCheckpoint): Promise<CheckpointSaved> {
    const saved = await this.database.transaction(ctx, (tx) =>
      this.turns.saveState(tx, requireSpace(ctx), data, data.state, this.config.SESSION_TURN_LEASE_SECONDS),
    );
    if (!saved) throw lapsed(data);
    return saved;
  }

  pause(ctx: Ctx, data: PauseTurn): Promise<InteractionView> {
    checkForm(data.form);
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const paused = await this.turns.pause(tx, spaceId, data, { state: data.state, result: data.result });
      if (paused) {
        tx.afterCommit(() => {
          this.signals.tell(ctx, paused);
        });
        return this.ask(tx, paused, data, 'PENDING');
      }
      const existing = await this.interactions.find(tx, spaceId, data.key, data.interactionId);
      if (existing) return viewOfInteraction(existing);
      // Not paused although held: a cancel came first, and the holder shall see it.
      const leased = await this.turns.findLeased(tx, spaceId, data);
      if (!leased) throw lapsed(data);
      return this.ask(tx, leased, data, 'CANCELLED');
    });
  }

  private async ask(tx: Tx, turn: TurnRow, data: PauseTurn, status: 'PENDING' | 'CANCELLED'): Promise<InteractionView> {
    if (turn.sessionId === null)
      throw new AppError('VALIDATION_ERROR', 'A turn without a session cannot ask its user.');
    const row = await this.interactions.insert(
      tx,
      { ...turn, sessionId: turn.sessionId },
      {
        id: data.interactionId,
        form: data.form,
        approval: data.approval ?? null,
        status,
        expiryDays: this.config.SESSION_INTERACTION_DAYS,
      },
    );
    if (!row) throw new Error('an insert gave no row');
    if (status === 'PENDING')
      tx.afterCommit(() => {
        this.counts.onQuestion(row);
      });
    return viewOfInteraction(row);
  }

  async close(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn> {
    const closed = (await this.closeAtOnce(ctx, data)) ?? (await this.closeAgain(ctx, data));
    await failpoint('session.turn-closed');
    return closed;
  }

  private async closeAtOnce(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn | null> {
    const { messages, status, finishReason, usage, error, result } = data;
    const ending = { status, finishReason, usage, error, result };
    const closed = await this.fastPath.close(ctx, data, { ending, messages });
    if (closed) this.signals.tell(ctx, closed.turn);
    return closed && closedTurn(closed);
  }

  /** The turn is not this holder's to close: because it has done so already, or because it has lost it. */
  private closeAgain(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const turn = await this.turns.findByKey(tx, spaceId, data.key);
      if (!turn || turn.epoch !== data.epoch || turn.status !== data.status) throw lapsed(data);
      // The process that closed it may have died before it sent the signal.
      this.signals.tell(ctx, turn);
      const { sessionId } = turn;
      const session = sessionId === null ? null : await this.sessions.find(tx, spaceId, sessionId);
      if (!session) return closedTurn({ turn, session, tokens: 0 });
      const tokens = await this.messages.contextTokens(tx, spaceId, session.id, session.summarySeq);
      return closedTurn({ turn, session, tokens });
    });
  }
}

const closedTurn = ({ turn, session, tokens }: ClosedAtOnce): ClosedTurn => ({
  context:
    session && statusOf(session, session.summaryTokens + tokens, { id: turn.model, contextWindow: turn.contextWindow }),
});
