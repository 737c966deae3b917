import { Injectable } from '@nestjs/common';
import {
  type CancelledTurn,
  type Ctx,
  type GetTurn,
  isActiveTurn,
  type Items,
  type ListTurns,
  type RequestCancel,
  requireSpace,
  type TurnOfSession,
  type TurnRecord,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { InteractionsRepository } from '../db/interactions.repository';
import { ToolResultsRepository } from '../db/tool-results.repository';
import { type TurnRow, TurnsRepository } from '../db/turns.repository';
import { checkMayRead, checkMayWrite, readsEverything } from '../domain/session-access';
import { AccessibleSessions } from '../access/accessible-sessions';
import { recordOf } from './turn-views';
import { TurnCancellation } from './turn-cancellation';

const absent = (): AppError => new AppError('NOT_FOUND', 'Turn not found.');

@Injectable()
export class TurnReadingService {
  constructor(
    private readonly database: Database,
    private readonly finder: AccessibleSessions,
    private readonly interactions: InteractionsRepository,
    private readonly turns: TurnsRepository,
    private readonly toolResults: ToolResultsRepository,
    private readonly stopping: TurnCancellation,
  ) {}

  get(ctx: Ctx, data: GetTurn): Promise<TurnRecord> {
    return this.database.transaction(ctx, async (tx) => {
      const turn = await this.find(tx, ctx, data);
      checkMayRead(ctx, turn.userId, 'turn');
      if (data.withOpenCalls) {
        const openCalls = await this.toolResults.openCalls(tx, turn.spaceId, turn.id);
        return { ...(await this.record(tx, turn)), openCalls };
      }
      if (data.interactionId === undefined) return this.record(tx, turn);
      const interaction = await this.interactions.find(tx, turn.spaceId, turn.id, data.interactionId);
      if (!interaction) throw absent();
      return recordOf(turn, interaction);
    });
  }

  /** The newest turns of a session, newest first. */
  list(ctx: Ctx, { sessionId, limit }: ListTurns): Promise<Items<TurnOfSession>> {
    return this.database.transaction(ctx, async (tx) => {
      await this.finder.getReadable(tx, ctx, sessionId);
      return { items: await this.turns.newestOfSession(tx, requireSpace(ctx), sessionId, limit) };
    });
  }

  requestCancel(ctx: Ctx, data: RequestCancel): Promise<CancelledTurn> {
    return this.database.transaction(ctx, async (tx) => {
      const found = await this.find(tx, ctx, data);
      checkMayWrite(ctx, found.userId, 'turn');
      const locked = await this.turns.findOwnLocked(tx, found.spaceId, found.userId, found.turnId);
      const turn = await this.stopping.stop(tx, ctx, locked ?? found);
      return { cancelling: isActiveTurn(turn.status), turn: await this.record(tx, turn) };
    });
  }

  private async find(tx: Tx, ctx: Ctx, data: GetTurn): Promise<TurnRow> {
    const { turnId, agentId, sessionId } = data;
    const spaceId = requireSpace(ctx);
    const named = ctx.userId === null ? null : await this.turns.findOwn(tx, spaceId, ctx.userId, turnId);
    const own = sessionId === undefined || named?.sessionId === sessionId ? named : null;
    const turn = own ?? (readsEverything(ctx) ? await this.turns.findAnybodys(tx, spaceId, turnId, sessionId) : null);
    if (!turn || (agentId !== undefined && turn.agentId !== agentId)) throw absent();
    return turn;
  }

  private async record(tx: Tx, turn: TurnRow): Promise<TurnRecord> {
    const waiting = turn.status === 'WAITING_INPUT';
    return recordOf(turn, waiting ? await this.interactions.findPending(tx, turn.spaceId, turn.id) : null);
  }
}
