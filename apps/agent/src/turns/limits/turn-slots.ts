import { Injectable } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Metrics, PayerCache, SpaceUseCounter } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';
import { FreshTurn, SuspectTurnWatch } from './suspect-turn-isolation';

/** How long a new turn waits for a place before it is refused. */
const WAIT_MS = 5_000;
/** Left free by Spaces over their share, for a Space that comes next. */
const RESERVE_PERCENT = 10;
const RETRY_AFTER_SECONDS = 2;
/** A turn's slots in its process: one while it has the lease, and a second one while it works. */
export interface TurnSlot {
  /** For the moment before a turn is opened: undefined, or waits while a suspect is taken up here. */
  mayBegin(): Promise<void> | undefined;
  /** Waits until the turn may work, or is stopped. Returns nothing where nothing has to be waited for. */
  work(signal: AbortSignal): Promise<void> | undefined;
  /** The turn waits for somebody else: its place of work goes to other turns. */
  rest(): void;
  leave(): void;
}

/**
 * The turns of a process, shared between the payers of Spaces. A turn that waits for a tool of its host does not work,
 * and costs memory all the same: so what is held has a limit of its own, above that of the turns that work.
 */
@Injectable()
export class TurnSlots {
  private readonly active: FairSemaphore;
  private readonly working: FairSemaphore;
  private readonly suspects = new SuspectTurnWatch();

  constructor(
    private readonly config: AgentConfig,
    private readonly payerCache: PayerCache,
    private readonly use: SpaceUseCounter,
    metrics: Metrics,
  ) {
    const shares = (count: number, resource: string): FairSemaphore =>
      new FairSemaphore({
        slots: count,
        share: this.shareOf(count),
        reserve: Math.floor((count * RESERVE_PERCENT) / 100),
        waitMs: WAIT_MS,
        waiting: { all: count, each: this.shareOf(count) },
        refusal: tooManyWaitFor(resource),
      });
    this.active = shares(config.TURNS_HELD_PER_PROCESS, 'a place for a turn');
    this.working = shares(config.TURNS_PER_PROCESS, 'a turn to end');
    metrics.bounded(
      {
        name: 'switchyard_turn_slots',
        help: 'Turns in this process, and those of them that are working.',
        measures: ['used', 'limit', 'waiting', 'refused'],
        labels: ['kind'],
      },
      (set) => {
        for (const [kind, { used, slots: limit, waiting, refused }] of Object.entries({
          held: this.active,
          working: this.working,
        }))
          set({ used, limit, waiting, refused }, { kind });
      },
    );
  }

  /** Claims turns of other processes. Fresh turns wait meanwhile, and for a moment if a suspect was claimed. */
  claim<T>(claim: () => Promise<T>, hasSuspect: (claimed: T) => boolean): Promise<T> {
    return this.suspects.claim(claim, hasSuspect);
  }

  /** For a turn that is about to be opened or resumed. Throws RATE_LIMITED where its payer has its share already. */
  async take(ctx: Ctx): Promise<TurnSlot> {
    const spaceId = requireSpace(ctx);
    const fresh = new FreshTurn(this.suspects);
    const waiting = fresh.mayBegin();
    if (waiting) await waiting;
    // Only the first turn of a Space in a while waits for this: what is not known yet would count for itself.
    const asking = this.payerCache.know([spaceId]);
    if (asking) await asking;
    const payer = this.payerCache.of(spaceId);
    await this.enter(this.active, payer);
    try {
      await this.enter(this.working, payer);
    } catch (error) {
      this.active.release(payer);
      throw error;
    }
    this.use.add('turns', spaceId);
    return new AcquiredSlot(payer, this.active, this.working, fresh);
  }

  /**
   * For a turn that runs already, and was held by another process: it is never refused, and waits for its turn to work.
   */
  adopt(ctx: Ctx): TurnSlot {
    const payer = this.payerCache.of(requireSpace(ctx));
    this.active.force(payer);
    return new AcquiredSlot(payer, this.active, this.working);
  }

  /** How many further turns of other processes this one can take. */
  get free(): number {
    return Math.max(0, Math.min(this.active.slots - this.active.used, this.working.slots - this.working.used));
  }

  private async enter(semaphore: FairSemaphore, payer: string): Promise<void> {
    try {
      await semaphore.acquire(payer);
    } catch (error) {
      if (semaphore.slotsOf(payer) < this.shareOf(semaphore.slots)) throw error;
      throw new AppError('RATE_LIMITED', 'This Space runs as many turns as it may. Try again when some have ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }

  private shareOf(count: number): number {
    return Math.max(1, Math.floor((count * this.config.TURN_SPACE_SHARE_PERCENT) / 100));
  }
}

class AcquiredSlot implements TurnSlot {
  private hasEnded = false;
  private isWorking: boolean;
  /** Made when it first has to wait: most turns never do. */
  private ending: AbortController | undefined;

  constructor(
    private readonly payer: string,
    private readonly active: FairSemaphore,
    private readonly working: FairSemaphore,
    private readonly fresh?: FreshTurn,
  ) {
    this.isWorking = fresh !== undefined;
  }

  mayBegin(): Promise<void> | undefined {
    return this.fresh?.mayBegin();
  }

  work(signal: AbortSignal): Promise<void> | undefined {
    return this.isWorking ? undefined : this.enter(signal);
  }

  rest(): void {
    if (!this.isWorking) return;
    this.isWorking = false;
    this.working.release(this.payer);
  }

  leave(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.ending?.abort();
    this.rest();
    this.active.release(this.payer);
  }

  /** A turn that has begun is not refused: it waits until its own time is over, or until it ends. */
  private async enter(signal: AbortSignal): Promise<void> {
    if (this.hasEnded) return;
    this.ending ??= new AbortController();
    const { signal: ended } = this.ending;
    const entered = await this.working.acquireInTime(this.payer, AbortSignal.any([signal, ended]));
    if (entered === 'stopped') return;
    if (ended.aborted || signal.aborted) this.working.release(this.payer);
    else this.isWorking = true;
  }
}
