import { Injectable } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { type Ctx, requireSpace } from '@switchyard/contracts';
import { Metrics, PayerCache } from '@switchyard/service';
import { AgentConfig } from '../../agent.config';

/** From this size on, a request takes milliseconds of each process that packs, reads or stores it. */
const LARGE_BYTES = 64 * 1024;
/** More would not be quicker: all of them need the same processor. */
const SLOTS = 4;
const SHARE = 2;
/** Left free by payers over their share. */
const RESERVE = 1;
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Reading agents, and sending large prompts and tools to the session and the relay: a few at a time, in turns by payer.
 * Else the small turns of others wait until a hundred large ones are read and packed.
 */
@Injectable()
export class HeavySlots {
  private readonly slots: FairSemaphore;

  constructor(
    private readonly payers: PayerCache,
    config: AgentConfig,
    metrics: Metrics,
  ) {
    const all = config.TURNS_PER_PROCESS;
    const each = Math.max(1, Math.floor((all * config.TURN_SPACE_SHARE_PERCENT) / 100));
    const slots = new FairSemaphore({
      slots: SLOTS,
      share: SHARE,
      reserve: RESERVE,
      waitMs: WAIT_MS,
      waiting: { all, each },
      refusal: tooManyWaitFor('large agents to be read and sent'),
    });
    this.slots = slots;
    metrics.bounded(
      {
        name: 'switchyard_heavy_slots',
        help: 'Slots for memory-intensive work in use: loading an agent, or sending a large prompt.',
        measures: ['used', 'limit', 'waiting', 'refused'],
      },
      (set) => set({ used: slots.used, limit: slots.slots, waiting: slots.waiting, refused: slots.refused }),
    );
  }

  /** Throws RATE_LIMITED if it waits too long because of others of its payer. */
  async run<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
    const payer = this.payers.of(requireSpace(ctx));
    const entering = this.slots.acquire(payer);
    if (entering) await entering.catch((error: unknown) => this.refuse(payer, error));
    try {
      return await work();
    } finally {
      this.slots.release(payer);
    }
  }

  /** Small requests do not wait. */
  runIfLarge<T>(ctx: Ctx, bytes: number, work: () => Promise<T>): Promise<T> {
    return bytes < LARGE_BYTES ? work() : this.run(ctx, work);
  }

  /** For a turn that has begun, and is not refused. Resolves to what frees the slot, if the turn has one. */
  async takeIfLarge(ctx: Ctx, bytes: number, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (bytes < LARGE_BYTES) return undefined;
    const payer = this.payers.of(requireSpace(ctx));
    if ((await this.slots.acquireInTime(payer, signal)) === 'stopped') return undefined;
    let isFree = false;
    return () => {
      if (!isFree) this.slots.release(payer);
      isFree = true;
    };
  }

  private refuse(payer: string, error: unknown): never {
    if (this.slots.slotsOf(payer) < SHARE) throw error;
    throw new AppError('RATE_LIMITED', 'This Space uses as many large agents at once as it may. Try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  }
}
