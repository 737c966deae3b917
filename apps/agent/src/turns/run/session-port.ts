import { Injectable } from '@nestjs/common';
import { AppError, sleep } from '@switchyard/kernel';
import {
  type CheckpointSaved,
  type ClosedTurn,
  type CloseTurn,
  type Ctx,
  type InteractionView,
  type PauseTurn,
  type SaveCheckpoint,
  SessionCalls,
} from '@switchyard/contracts';
import { retry } from '@switchyard/concurrency';
import { Bus } from '@switchyard/messaging';

const PAUSES = { baseMs: 250, maxMs: 5000 };
/** How long a step waits for its checkpoint before the turn is given up. */
const SAVE_WITHIN_MS = 30_000;

export const mayPass = (error: unknown): boolean =>
  !(error instanceof AppError) || ['SERVICE_UNAVAILABLE', 'TIMEOUT', 'SERVER_ERROR'].includes(error.code);

const isStale = (error: unknown): boolean => error instanceof AppError && error.code === 'CONFLICT';
/** A turn whose lease ran out while it was being stored is soon claimed again, most likely by this process. */
const RECLAIMED_WITHIN_MS = 1000;

/** The session service as a running turn needs it: patient where a write must not be lost. */
@Injectable()
export class SessionPort {
  constructor(private readonly bus: Bus) {}

  saveCheckpoint(ctx: Ctx, data: SaveCheckpoint, signal: AbortSignal): Promise<CheckpointSaved | null> {
    return this.save(() => this.bus.call(SessionCalls.saveCheckpoint, ctx, data, { workId: data.key }), signal);
  }

  pause(ctx: Ctx, data: PauseTurn, signal: AbortSignal): Promise<InteractionView | null> {
    return this.save(() => this.bus.call(SessionCalls.pauseTurn, ctx, data, { workId: data.key }), signal);
  }

  /**
   * Until it is stored. `onTrouble` runs once, at the first failure. `data` is asked for each time: the lease may
   * have run out meanwhile, and come back under another epoch.
   */
  close(ctx: Ctx, data: () => CloseTurn, onTrouble: () => void): Promise<ClosedTurn> {
    let sent: CloseTurn | undefined;
    return retry(
      () => {
        sent = data();
        return this.bus.call(SessionCalls.closeTurn, ctx, sent, { timeoutMs: 5000, workId: sent.key });
      },
      {
        ...PAUSES,
        // The lease ends it: another process takes the turn over, and this one gets a CONFLICT.
        withinMs: Infinity,
        shouldRetry: async (error, attempt) => {
          if (isStale(error)) {
            await sleep(RECLAIMED_WITHIN_MS);
            return data().epoch !== sent?.epoch;
          }
          if (sent === undefined || !mayPass(error)) return false;
          if (attempt === 1) onTrouble();
          return true;
        },
      },
    );
  }

  /** Null when the turn was stopped meanwhile. */
  private async save<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    try {
      return await retry(() => unlessAborted(call(), signal), {
        ...PAUSES,
        withinMs: SAVE_WITHIN_MS,
        signal,
        shouldRetry: mayPass,
      });
    } catch (error) {
      if (signal.aborted && mayPass(error)) return null;
      throw error;
    }
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      resolve(null);
    };
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}
