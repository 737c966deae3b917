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
import { AppError } from '@switchyard/kernel';
import { statusOf } from '../context/context-status';
import { interactionsRepository } from '../db/interactions.repository';
import { messagesRepository, type MessageRow } from '../db/messages.repository';
import { sessionsRepository } from '../db/sessions.repository';
import { toolResultsRepository } from '../db/tool-results.repository';
import { type TurnRow, turnsRepository } from '../db/turns.repository';
import { checkForm } from '../domain/interaction-form';
import { SessionConfig } from '../session.config';
import { viewOfMessage } from '../sessions/session-view';
import { recordOf, viewOfInteraction } from './turn-record';

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

  close(ctx: Ctx, data: CloseTurn): Promise<ClosedTurn> {
    const spaceId = requireSpace(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const turn = await turnsRepository.close(tx, spaceId, data, { ...data, result: data.result });
      if (turn) return this.closed(tx, turn, await this.store(tx, turn, data));
      const known = await turnsRepository.findByKey(tx, spaceId, data.key);
      if (!known || known.epoch !== data.epoch || known.status !== data.status) throw lost(data);
      const after = known.userMessageSeq ?? 0;
      const stored =
        known.sessionId === null
          ? []
          : await messagesRepository.ofTurn(tx, spaceId, known.sessionId, known.turnId, after);
      return this.closed(tx, known, stored);
    });
  }

  private async store(tx: Tx, turn: TurnRow, data: CloseTurn): Promise<MessageRow[]> {
    await toolResultsRepository.expireAllOf(tx, turn.spaceId, turn.id);
    if (turn.sessionId === null) return [];
    const { messages } = data;
    const spoken = messages.filter((message) => message.role !== 'event').length;
    const growth = { messages: messages.length, spoken, title: null, agentId: turn.agentId };
    const at = { sessionId: turn.sessionId, turnId: turn.turnId };
    const lastSeq = await sessionsRepository.grow(tx, turn.spaceId, turn.sessionId, growth, true);
    if (data.status === 'COMPLETED') await sessionsRepository.countCompletedTurn(tx, turn.spaceId, turn.sessionId);
    return lastSeq === null ? [] : messagesRepository.append(tx, turn.spaceId, { ...at, lastSeq }, messages);
  }

  private async closed(tx: Tx, turn: TurnRow, messages: MessageRow[]): Promise<ClosedTurn> {
    const session = turn.sessionId === null ? null : await sessionsRepository.find(tx, turn.spaceId, turn.sessionId);
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
