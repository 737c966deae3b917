import { Injectable } from '@nestjs/common';
import { type ClaimedTurns, serviceCtx, SessionCalls } from '@switchyard/contracts';
import type { Polled } from '@switchyard/concurrency';
import { Bus, ReplicaLiveness } from '@switchyard/messaging';
import { Logger, Workers } from '@switchyard/service';
import { ActiveTurns } from '../run/active-turns';
import { Takeover } from './takeover';
import { TurnSlots } from '../limits/turn-slots';

const CLAIM_EVERY_MS = 1_000;
const CLAIM_AT_ONCE = 16;

/** Claims turns of processes that died or stopped, and turns that were woken, while there is place for them. */
@Injectable()
export class TurnClaimer {
  private readonly wake: () => void;
  /** Other workers with turns at the last poll. */
  private others: string[] = [];
  /** The last claim that brought something brought a suspect: then other turns come first. */
  private tookSuspect = false;

  constructor(
    private readonly bus: Bus,
    private readonly activeTurns: ActiveTurns,
    private readonly takeover: Takeover,
    private readonly slots: TurnSlots,
    private readonly replicaLiveness: ReplicaLiveness,
    private readonly logger: Logger,
    workers: Workers,
  ) {
    this.wake = workers.poll('take turns over', CLAIM_EVERY_MS, () => this.claim());
  }

  /** A signal said that turns wait for a worker. */
  look(): void {
    this.wake();
  }

  private async claim(): Promise<Polled> {
    const limit = Math.min(CLAIM_AT_ONCE, this.slots.free);
    // Turns without a free slot here are left to other processes, or wait.
    if (this.activeTurns.isStopping) return false;
    if (limit === 0) return 'soon';
    const ended = await this.replicaLiveness.findDead(this.others);
    const { items, holders } = await this.slots.claim(() => this.claimTurns(limit, ended), hasSuspect);
    this.others = holders;
    if (items.length > 0) this.tookSuspect = hasSuspect({ items });
    await Promise.all(
      items.map((claim) =>
        this.takeover.resume(claim, claim.turn.interaction).catch((error: unknown) => {
          this.logger.error({ err: error, turn: claim.turn.key }, 'failed to take over a turn');
        }),
      ),
    );
    // Turns of others may be without a holder at any time.
    return items.length > 0 || (holders.length > 0 && 'soon');
  }

  private claimTurns(limit: number, ended: string[]): Promise<ClaimedTurns> {
    return this.bus.call(SessionCalls.claimTurns, serviceCtx('agent'), {
      owner: this.activeTurns.owner,
      limit,
      gone: ended,
      othersFirst: this.tookSuspect,
    });
  }
}

const hasSuspect = ({ items }: Pick<ClaimedTurns, 'items'>): boolean => items.some(({ isSuspect }) => isSuspect);
