import { Injectable } from '@nestjs/common';
import {
  type CheckpointSaved,
  type ClosedTurn,
  type CloseTurn,
  type Ctx,
  type HeldTurn,
  type InteractionView,
  type PauseTurn,
  requireSpace,
  type SaveCheckpoint,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, failpoint } from '@switchyard/kernel';
import { statusOf } from '../context/context-status';
import { interactionsRepository } from '../db/interactions.repository';
import { messagesRepository, type MessageRow } from '../db/messages.repository';
import { type SessionRow, sessionsRepository } from '../db/sessions.repository';
import { type TurnRow, turnsRepository } from '../db/turns.repository';
import { checkForm } from '../domain/interaction-form';
import { SessionConfig } from '../session.config';
import { viewOfMessage } from '../sessions/session-view';
import { recordOf, viewOfInteraction } from './turn-record';

/** What a close has written; a deleted session is none any more. */
interface Stored {
  session: SessionRow | null;
  messages: MessageRow[];
}

/** The holder of a turn writes under its epoch; who has lost the turn is told so and writes nothing. */
const lost = (held: HeldTurn): AppError =>
  new AppError('CONFLICT', `This turn is no longer held under epoch ${held.epoch}; stop working on it.`);

@Injectable()
export class TurnRunsService {
  constructor(
    private readonly database: Database,
    private readonly config: SessionConfig,
  ) {}

  async saveCheckpoint(ctx: Ctx, data: SaveCheckpoint): Promise<CheckpointSaved> {
    const saved = await this.database.transaction(ctx, (tx) =>
      turnsRepository.saveState(tx, requireSpace(ctx), data, data.state, this.config.SESSION_TURN_LEASE_SECONDS),
    );
    if (!saved) throw lost(data);
    return saved;
  }

  pause(ctx: Ctx, data: PauseTurn): Promise<InteractionView> {
    checkForm(data.form);
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const paused = await turnsRepository.pause(tx, spaceId, data, { state: data.state, result: data.result });
      if (paused) return this.ask(tx, paused, data, 'PENDING');
      const known = await interactionsRepository.find(tx, spaceId, data.key, data.interactionId);
      if (known) return viewOfInteraction(known);
      // Not paused although held: a cancel came first, and the holder shall see it.
      const held = await turnsRepository.findHeld(tx, spaceId, data);
      if (!held) throw lost(data);
      return this.ask(tx, held, data, 'CANCELLED');
    });
  }

  private async ask(tx: Tx, turn: TurnRow, data: PauseTurn, status: 'PENDING' | 'CANCELLED'): Promise<InteractionView> {
    if (turn.sessionId === null)
      throw new AppError('VALIDATION_ERROR', 'A turn without a session cannot ask its user.');
    const row = await interactionsRepository.insert(
      tx,
      { ...turn, sessionId: turn.sessionId },
      {
        id: data.interactionId,
        form: data.form,
        status,
        expiryDays: this.config.SESSION_INTERACTION_DAYS,
      },
    );
    if (!row) throw new Error('an insert gave no row');
    return viewOfInteraction(row);
  }

  async close(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn> {
    const closed = await this.closeOnce(ctx, data);
    await failpoint('session.turn-closed');
    return closed;
  }

  private closeOnce(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const { status, finishReason, usage, error, result } = data;
      const turn = await turnsRepository.close(tx, spaceId, data, { status, finishReason, usage, error, result });
      if (turn) return this.closed(tx, turn, await this.store(tx, turn, data));
      const known = await turnsRepository.findByKey(tx, spaceId, data.key);
      if (!known || known.epoch !== data.epoch || known.status !== data.status) throw lost(data);
      const { sessionId } = known;
      const session = sessionId === null ? null : await sessionsRepository.find(tx, spaceId, sessionId);
      const messages = session ? await messagesRepository.ofTurn(tx, spaceId, session.id, known.turnId) : [];
      return this.closed(tx, known, { session, messages });
    });
  }

  private async store(tx: Tx, turn: TurnRow, data: CloseTurn): Promise<Stored> {
    if (turn.sessionId === null) return { session: null, messages: [] };
    const spoken = data.messages.filter((message) => message.role !== 'event').length;
    const session = await sessionsRepository.grow(tx, turn.spaceId, turn.sessionId, {
      messages: data.messages.length,
      spoken,
      agentId: turn.agentId,
      completedTurns: data.status === 'COMPLETED' ? 1 : 0,
      evenDeleted: true,
    });
    if (!session) return { session: null, messages: [] };
    const at = { sessionId: session.id, turnId: turn.turnId, lastSeq: session.lastSeq - data.messages.length };
    const messages = await messagesRepository.append(tx, turn.spaceId, at, data.messages);
    return { session: session.status === 'ACTIVE' ? session : null, messages };
  }

  private async closed(tx: Tx, turn: TurnRow, { session, messages }: Stored): Promise<ClosedTurn> {
    const tokens = session
      ? await messagesRepository.contextTokens(tx, turn.spaceId, session.id, session.summarySeq)
      : 0;
    return {
      turn: recordOf(turn),
      messages: messages.map(viewOfMessage),
      context:
        session &&
        statusOf(session, session.summaryTokens + tokens, { id: turn.model, contextWindow: turn.contextWindow }),
    };
  }
}
