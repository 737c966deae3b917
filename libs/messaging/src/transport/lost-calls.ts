import { type CallContract, type Ctx, type StreamContract } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/** Requests an acknowledgement: the caller sent this before and got no answer. */
export const RECEIPT_HEADER = 'Sw-Taken';
const DAY_MS = 24 * 3_600_000;
const LOSSES_MAX = 2;

/** Requests whose process died for a possibly unrelated reason: other requests ran in it, or it had been answering. */
const UNEXPLAINED_MAX = 4;

interface Silence {
  /** Whether its last process is known to have died with it. */
  losses: number;
  unexplained: number;
}

/** A request that got no answer. `silence` is null once it got one. */
export interface UnansweredCall {
  work: string;
  silence: Silence | null;
}

/** Refused without being sent: two processes have died while handling the request. */
export const givenUp = (): AppError =>
  new AppError(
    'RUNTIME_UNAVAILABLE',
    'The request was given up: the process that handled it ended twice. Change what is asked before it is sent again.',
    { headers: { 'x-should-retry': 'false' } },
  );

/** Identifies a repeated request: by the caller's work id, the idempotency key, or the request id. */
export const workOf = ({ subject }: CallContract | StreamContract, ctx: Ctx, workId: string | undefined): string =>
  `${subject} ${ctx.spaceId ?? ''} ${workId ?? ctx.idempotency?.key ?? ctx.requestId}`;

/**
 * Tracks requests without an answer, which are rare. A repeat asks for an acknowledgement from its process; if that
 * process dies too, the request has crashed two and is refused from then on. A slow, frozen or draining process does
 * not count.
 * Replicas of one service tell each other, because a request may be repeated at any of them.
 */
export class RepeatedCallGuard {
  private readonly silences = new LRUCache<string, Silence>({ max: 10_000, ttl: DAY_MS });
  private readonly listeners: ((call: UnansweredCall) => void)[] = [];

  get isEmpty(): boolean {
    return this.silences.size === 0;
  }

  /** Called for every change that is found out here. */
  onChange(listener: (call: UnansweredCall) => void): void {
    this.listeners.push(listener);
  }

  /** Takes over what another replica has found out. */
  learn({ work, silence }: UnansweredCall): void {
    const { losses, unexplained } = this.silences.get(work) ?? { losses: 0, unexplained: 0 };
    if (silence === null) this.silences.delete(work);
    else
      this.silences.set(work, {
        losses: Math.max(losses, silence.losses),
        unexplained: Math.max(unexplained, silence.unexplained),
      });
  }

  find(work: string): Silence | undefined {
    return this.silences.get(work);
  }

  /** Throws for work that has crashed two processes. */
  check(work: string): Silence | undefined {
    const silences = this.silences.get(work);
    if (silences && silences.losses >= LOSSES_MAX) throw givenUp();
    return silences;
  }

  /** No answer for an unknown reason. `isGone`: the process died, possibly for another reason. */
  silent(work: string, hasDied = false): void {
    const { losses, unexplained } = this.silences.get(work) ?? { losses: 0, unexplained: 0 };
    const now = unexplained + (hasDied ? 1 : 0);
    this.note(work, { losses: now >= UNEXPLAINED_MAX ? LOSSES_MAX : losses, unexplained: now });
  }

  /** The process died. This also explains an earlier silence. */
  died(work: string, { wasSilent }: { wasSilent: boolean }): void {
    const { losses, unexplained } = this.silences.get(work) ?? { losses: 0, unexplained: 0 };
    this.note(work, { losses: Math.max(losses + 1, wasSilent ? LOSSES_MAX : 0), unexplained });
  }

  answered(work: string): void {
    if (!this.silences.has(work)) return;
    this.silences.delete(work);
    this.notify({ work, silence: null });
  }

  private note(work: string, silence: Silence): void {
    this.silences.set(work, silence);
    this.notify({ work, silence });
  }

  private notify(call: UnansweredCall): void {
    for (const listener of this.listeners) listener(call);
  }
}
