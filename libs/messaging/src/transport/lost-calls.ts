import { type CallContract, type Ctx, type StreamContract } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** With this header a caller asks who has taken its request: it was asked before, and nobody answered. */
export const RECEIPT_HEADER = 'Sw-Taken';
const DAY_MS = 24 * 3_600_000;
const LOSSES_MAX = 2;

/** Of requests whose process is gone although others ran beside it, or it had answered for a while. */
const DOUBTS_MAX = 4;

interface Silence {
  /** Whether its last process is known to have ended with it. */
  losses: number;
  doubts: number;
}

/** Refused without being asked: two processes have ended while they held the request. */
export const givenUp = (): AppError =>
  new AppError(
    'RUNTIME_UNAVAILABLE',
    'The request was given up: the process that handled it ended twice. Change what is asked before it is sent again.',
    { headers: { 'x-should-retry': 'false' } },
  );

/** What is asked again is the same work: by the name that its caller gives it, by its idempotency key, or by its request. */
export const workOf = ({ subject }: CallContract | StreamContract, ctx: Ctx, workId: string | undefined): string =>
  `${subject} ${ctx.spaceId ?? ''} ${workId ?? ctx.idempotency?.key ?? ctx.requestId}`;

/**
 * Requests that got no answer, which is rare. One that is asked again after that says who took it; if that process is
 * gone, it has ended two of them, and is not asked a third time. A process that is slow, frozen or drained is not gone.
 */
export class LostCalls {
  private readonly known = new LRUCache<string, Silence>({ max: 10_000, ttl: DAY_MS });

  get isEmpty(): boolean {
    return this.known.size === 0;
  }

  find(work: string): Silence | undefined {
    return this.known.get(work);
  }

  /** Throws for work that has ended two processes. */
  check(work: string): Silence | undefined {
    const known = this.known.get(work);
    if (known && known.losses >= LOSSES_MAX) throw givenUp();
    return known;
  }

  /** Nobody answered, and it is not known why. `isGone`: its process has ended, perhaps because of something else. */
  silent(work: string, isGone = false): void {
    const { losses, doubts } = this.known.get(work) ?? { losses: 0, doubts: 0 };
    const now = doubts + (isGone ? 1 : 0);
    this.known.set(work, { losses: now >= DOUBTS_MAX ? LOSSES_MAX : losses, doubts: now });
  }

  /** Its process has ended. An earlier silence is explained by that as well. */
  lost(work: string, { wasSilent }: { wasSilent: boolean }): void {
    const { losses, doubts } = this.known.get(work) ?? { losses: 0, doubts: 0 };
    this.known.set(work, { losses: Math.max(losses + 1, wasSilent ? LOSSES_MAX : 0), doubts });
  }

  answered(work: string): void {
    this.known.delete(work);
  }
}
