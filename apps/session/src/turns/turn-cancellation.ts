import { Injectable } from '@nestjs/common';
import { type Ctx, isActiveTurn, SessionSignals } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { InteractionsRepository } from '../db/interactions.repository';
import { type TurnRow, TurnsRepository } from '../db/turns.repository';

/**
 * How a turn is told to stop. A running one is marked, and its holder hears of it at once; a waiting one has no
 * holder, so it is handed to whichever replica claims it, to write its last frames.
 */
@Injectable()
export class TurnCancellation {
  constructor(
    private readonly interactions: InteractionsRepository,
    private readonly turns: TurnsRepository,
    private readonly bus: Bus,
  ) {}

  /** `turn` is locked by this transaction. Answers how it stands now. */
  async stop(tx: Tx, ctx: Ctx, turn: TurnRow): Promise<TurnRow> {
    if (!isActiveTurn(turn.status)) return turn;
    if (turn.status === 'WAITING_INPUT') return this.wake(tx, ctx, turn, { reason: 'cancelled', ends: true });
    const marked = await this.turns.markCancelled(tx, turn.spaceId, turn.id);
    tx.afterCommit(() => {
      this.bus.signal(SessionSignals.cancelRequested, ctx, { key: turn.id });
      // Its lease may have expired already: then the first signal has no receiver.
      this.bus.signal(SessionSignals.turnsClaimable, ctx, {});
    });
    return marked ?? turn;
  }

  async wake(
    tx: Tx,
    ctx: Ctx,
    turn: TurnRow,
    why: { reason: 'cancelled' | 'expired'; ends: boolean },
  ): Promise<TurnRow> {
    if (why.reason === 'cancelled') await this.interactions.cancelOf(tx, turn.spaceId, turn.id);
    const woken = await this.turns.wake(tx, turn.spaceId, turn.id, why);
    tx.afterCommit(() => {
      this.bus.signal(SessionSignals.turnsClaimable, ctx, {});
    });
    return woken ?? turn;
  }
}
