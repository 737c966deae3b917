import { type CallContract, type Ctx, type StreamContract } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

/**
 * On a repeated request: how many milliseconds ago its last try was sent, `Infinity` if that one lost its process. It
 * asks for an acknowledgement, whose header says what runs beside the request: see `Others`.
 */
export const RECEIPT_HEADER = 'Sw-Taken';
const DAY_MS = 24 * 3_600_000;
const LOSSES_MAX = 2;
/** Requests are given up after so many losses beside requests that began when their time alone was over. */
const JOINED_MAX = 2;
/** Requests that are never in a process alone are given up after so many losses. */
const UNEXPLAINED_MAX = 8;

/** How a request is sent: for the first time, or after a loss. */
export const Stage = { fresh: 0, repeat: 1 } as const;

/** Other requests that may end the process: none, some that began while it ran, or some from the beginning. */
export const Others = { none: 0, joined: 1, always: 2 } as const;

/** A process whose name is not known: perhaps it died, perhaps it was slow. */
const UNKNOWN = '';
const ENDED_MAX = 1_000;
/** Losses of one request that are counted, as many as a report has. */
const DEATHS_MAX = 20;

/** A request in a process that ended. */
export interface WorkInServer {
  work: string;
  /** See `Stage`. */
  stage: number;
  sentAt: number;
  /** See `Others`. Of a fresh request it does not matter. */
  others: number;
}

/** A request lost its process. Each process counts once for each request, also if several replicas report it. */
export interface LossOfCall extends Omit<WorkInServer, 'work'> {
  /** Control subject of the process. */
  server: string;
}

export interface Silence {
  losses: number;
  /** Losses that blame no request. */
  unexplained: number;
  deaths: LossOfCall[];
}

/** A request that got no answer. `silence` is null once it got one. */
export interface InterruptedCall {
  work: string;
  silence: Silence | null;
}

/** A request without an answer, as this process counts it. */
interface CallRecord {
  deaths: LossOfCall[];
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
 * Tracks requests without an answer, which are rare. A repeat runs alone in its process for a while (`Trials`),
 * which reports that before it begins; if that process dies too, the request has crashed two and is refused from then
 * on. A slow, frozen or draining process does not count, and no request is blamed that was not alone.
 *
 * Replicas of one service report to each other, because a request may be repeated at any of them.
 */
export class RepeatedCallGuard {
  private readonly calls = new LRUCache<string, CallRecord>({ max: 10_000, ttl: DAY_MS });
  private readonly endedServers = new LRUCache<string, true>({ max: ENDED_MAX });
  private readonly listeners: ((call: InterruptedCall) => void)[] = [];
  private readonly endListeners = new Set<(server: string) => void>();

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** Called for every change that is found out here. */
  onChange(listener: (call: InterruptedCall) => void): void {
    this.listeners.push(listener);
  }

  /** Called when the first request is reported whose process has ended, here or by another replica. */
  onEnded(listener: (server: string) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Takes over what another replica has found out. */
  learn({ work, silence }: InterruptedCall): void {
    if (silence === null) {
      this.calls.delete(work);
      return;
    }
    const call = this.callOf(work);
    for (const loss of silence.deaths) {
      addLoss(call, loss);
      this.announceEnd(loss.server);
    }
    this.calls.set(work, call);
  }

  find(work: string): Silence | undefined {
    const call = this.calls.get(work);
    return call && silenceOf(call);
  }

  /** Throws for work that has crashed two processes. */
  check(work: string): Silence | undefined {
    const silence = this.find(work);
    if (silence && silence.losses >= LOSSES_MAX) throw givenUp();
    return silence;
  }

  /** How long ago the last try was sent; `Infinity` if its process died. */
  ageMs(work: string): number {
    const latest = this.calls
      .get(work)
      ?.deaths.reduce<LossOfCall | undefined>((one, other) => (one && isLater(one, other) ? one : other), undefined);
    if (!latest) return 0;
    return latest.server === UNKNOWN ? Date.now() - latest.sentAt : Infinity;
  }

  /** No answer for an unknown reason. If its process is not known either, it may have died: then that counts. */
  silent(work: string, sentAt: number, hasServer: boolean): void {
    const call = this.callOf(work);
    if (!hasServer || call.deaths.length > 0)
      addLoss(call, { server: UNKNOWN, stage: Stage.fresh, sentAt, others: Others.always });
    else if (this.calls.has(work)) return;
    this.calls.set(work, call);
    this.notify(work, call);
  }

  /** The process died, with these requests of this replica in it. */
  ended(server: string, works: readonly WorkInServer[]): void {
    for (const { work, ...sent } of works) {
      const call = this.callOf(work);
      addLoss(call, { server, ...sent });
      this.calls.set(work, call);
      this.notify(work, call);
    }
    this.announceEnd(server);
  }

  answered(work: string): void {
    if (!this.calls.delete(work)) return;
    for (const listener of this.listeners) listener({ work, silence: null });
  }

  private announceEnd(server: string): void {
    if (server === UNKNOWN || this.endedServers.has(server)) return;
    this.endedServers.set(server, true);
    for (const listener of this.endListeners) listener(server);
  }

  private callOf(work: string): CallRecord {
    return this.calls.get(work) ?? { deaths: [] };
  }

  private notify(work: string, call: CallRecord): void {
    const silence = silenceOf(call);
    for (const listener of this.listeners) listener({ work, silence });
  }
}

/** Of one try, the report that names its process counts. */
const isLater = (one: LossOfCall, other: LossOfCall): boolean =>
  one.sentAt > other.sentAt || (one.sentAt === other.sentAt && other.server === UNKNOWN);

function silenceOf({ deaths }: CallRecord): Silence {
  const repeats = deaths.filter(({ server, stage }) => server !== UNKNOWN && stage !== Stage.fresh);
  const count = (kind: number): number => repeats.filter(({ others }) => others === kind).length;
  const unexplained = repeats.length - count(Others.none);
  const isGivenUp = count(Others.none) > 0 || count(Others.joined) >= JOINED_MAX || unexplained >= UNEXPLAINED_MAX;
  const losses = isGivenUp ? LOSSES_MAX : Math.min(deaths.length, 1);
  return { losses, unexplained, deaths };
}

/** A process is counted once: of several reports, the earliest stage and the most other work. */
function addLoss({ deaths }: CallRecord, { server, stage, sentAt, others }: LossOfCall): void {
  const same = deaths.find((each) => each.server === server);
  if (same) {
    same.stage = Math.min(same.stage, stage);
    same.others = Math.max(same.others, others);
    same.sentAt = Math.max(same.sentAt, sentAt);
  } else if (deaths.length < DEATHS_MAX) deaths.push({ server, stage, sentAt, others });
}
