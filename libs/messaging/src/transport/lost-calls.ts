import { type CallContract, type Ctx, type StreamContract } from '@switchyard/contracts';
import { AppError, sleep } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';
import { Others, EndedServers, Stage, type WorkInServer } from './ended-servers';

/** Requests an acknowledgement: the caller sent this before and got no answer. */
export const RECEIPT_HEADER = 'Sw-Taken';
const DAY_MS = 24 * 3_600_000;
const LOSSES_MAX = 2;
/** After so many losses that blame no request, fresh work in the process protects none any more. */
const SERIES = 2;
/** Requests that are never in a process alone are given up after so many losses. */
const UNEXPLAINED_MAX = 8;
/** Within this time, other replicas report their requests in a process that has ended. */
const SETTLED_AFTER_MS = 1_500;
const TRIAL_MS = 30_000;
const DOUBLINGS_MAX = 2;

/** A process whose name is not known: perhaps it died, perhaps it was slow. */
const UNKNOWN = '';

/** A request lost its process. Each process counts once for each request, whoever reports it. */
export interface LossOfCall {
  /** Control subject of the process. */
  server: string;
  /** How the request was sent to it: see `Stage`. */
  stage: number;
  sentAt: number;
  /** Other requests in the process: see `Others`. */
  others: number;
}

export interface Silence {
  losses: number;
  /** Losses that blame no request. */
  unexplained: number;
  /** Absent in reports of earlier versions. */
  deaths?: LossOfCall[];
}

/** A request that got no answer. `silence` is null once it got one. */
export interface UnansweredCall {
  work: string;
  silence: Silence | null;
}

/** A request without an answer, as this process counts it. */
interface CallRecord {
  deaths: LossOfCall[];
  /** Counted by replicas of an earlier version. */
  losses: number;
  unexplained: number;
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

/** How a request with these losses is sent. */
export const stageOf = (silence: Silence | undefined): number => {
  if (!silence || silence.losses === 0) return Stage.fresh;
  return silence.unexplained > 0 ? Stage.trial : Stage.suspect;
};

/** For how long a request may keep others waiting while it shows whether it ends its process. */
export const trialMs = (silence: Silence | undefined): number =>
  TRIAL_MS * 2 ** Math.min(Math.max(0, (silence?.unexplained ?? 0) - 1), DOUBLINGS_MAX);

/**
 * Tracks requests without an answer, which are rare. A repeat asks for an acknowledgement from its process; if that
 * process dies too, the request has crashed two and is refused from then on. A slow, frozen or draining process does
 * not count.
 *
 * A repeat is blamed only if its process had no other repeat, and no fresh request that began later. Otherwise the loss
 * is unexplained, and the request is repeated apart from all others of its kind. After two unexplained losses, fresh
 * requests protect it no longer.
 *
 * Replicas of one service report to each other, because a request may be repeated at any of them.
 */
export class RepeatedCallGuard {
  private readonly calls = new LRUCache<string, CallRecord>({ max: 10_000, ttl: DAY_MS });
  private readonly servers = new EndedServers();
  private readonly listeners: ((call: UnansweredCall) => void)[] = [];
  private readonly endListeners = new Set<(server: string) => void>();
  private settledAt = 0;

  get isEmpty(): boolean {
    return this.calls.size === 0;
  }

  /** Called for every change that is found out here. */
  onChange(listener: (call: UnansweredCall) => void): void {
    this.listeners.push(listener);
  }

  /** Called when the first request is reported whose process has ended, here or by another replica. */
  onEnded(listener: (server: string) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Takes over what another replica has found out. */
  learn({ work, silence }: UnansweredCall): void {
    if (silence === null) {
      this.calls.delete(work);
      return;
    }
    const call = this.callOf(work);
    if (silence.deaths) for (const loss of silence.deaths) this.learnLoss(work, call, loss);
    else {
      call.losses = Math.max(call.losses, silence.losses);
      call.unexplained = Math.max(call.unexplained, silence.unexplained);
    }
    this.calls.set(work, call);
  }

  private learnLoss(work: string, call: CallRecord, loss: LossOfCall): void {
    addLoss(call, loss);
    if (loss.server !== UNKNOWN) this.addServer(loss.server, [{ work, ...loss }]);
  }

  private addServer(server: string, works: readonly WorkInServer[]): void {
    const isNew = !this.servers.has(server);
    this.servers.add(server, works);
    if (!isNew) return;
    this.settledAt = Date.now() + SETTLED_AFTER_MS;
    for (const listener of this.endListeners) listener(server);
  }

  find(work: string): Silence | undefined {
    const call = this.calls.get(work);
    return call && this.silenceOf(work, call);
  }

  /** Throws for work that has crashed two processes. */
  check(work: string): Silence | undefined {
    const silence = this.find(work);
    if (silence && silence.losses >= LOSSES_MAX) throw givenUp();
    return silence;
  }

  /** Resolves when other replicas have reported their requests in the processes that ended last. */
  async settled(): Promise<void> {
    for (let ms = this.settledAt - Date.now(); ms > 0; ms = this.settledAt - Date.now()) await sleep(ms);
  }

  /** No answer for an unknown reason. If its process is not known either, it may have died: then that counts. */
  silent(work: string, hasServer: boolean): void {
    const call = this.callOf(work);
    if (this.calls.has(work) && (hasServer || call.deaths.length > 0)) return;
    if (!hasServer) addLoss(call, { server: UNKNOWN, stage: Stage.fresh, sentAt: 0, others: Others.none });
    this.calls.set(work, call);
    this.notify(work, call);
  }

  /**
   * The process died, with these requests of this replica in it. `youngestOther`: when the last of its requests began that
   * are not counted here.
   */
  ended(server: string, works: readonly WorkInServer[], youngestOther = 0): void {
    this.addServer(server, works);
    if (youngestOther > 0) this.servers.add(server, [{ work: '', stage: Stage.fresh, sentAt: youngestOther }]);
    if (works.length === 0) return;
    for (const { work, stage, sentAt } of works) {
      const call = this.callOf(work);
      addLoss(call, { server, stage, sentAt, others: Others.none });
      this.calls.set(work, call);
      this.notify(work, call);
    }
    setTimeout(() => {
      this.reportOthers(server, works);
    }, SETTLED_AFTER_MS).unref();
  }

  answered(work: string): void {
    if (!this.calls.delete(work)) return;
    for (const listener of this.listeners) listener({ work, silence: null });
  }

  /** Replicas that start later do not know the other requests of a process. */
  private reportOthers(server: string, works: readonly WorkInServer[]): void {
    for (const { work } of works) {
      const call = this.calls.get(work);
      const loss = call?.deaths.find((each) => each.server === server);
      if (!call || !loss) continue;
      const others = this.servers.others(work, loss);
      if (others <= loss.others) continue;
      loss.others = others;
      this.notify(work, call);
    }
  }

  private callOf(work: string): CallRecord {
    return this.calls.get(work) ?? { deaths: [], losses: 0, unexplained: 0 };
  }

  private silenceOf(work: string, call: CallRecord): Silence {
    let losses = 0;
    let unexplained = 0;
    let isFirst = true;
    for (const loss of call.deaths) {
      const others = Math.max(loss.others, this.servers.others(work, loss));
      if (loss.server === UNKNOWN) losses = Math.max(losses, 1);
      else if (isFirst && loss.stage === Stage.fresh) {
        losses = Math.max(losses, 1);
        isFirst = false;
      } else if (others === Others.none || (others < Others.trial && unexplained >= SERIES)) losses = LOSSES_MAX;
      else {
        losses = Math.max(losses, 1);
        unexplained += 1;
      }
    }
    losses = Math.max(losses, call.losses);
    unexplained = Math.max(unexplained, call.unexplained);
    return { losses: unexplained >= UNEXPLAINED_MAX ? LOSSES_MAX : losses, unexplained, deaths: call.deaths };
  }

  private notify(work: string, call: CallRecord): void {
    const silence = this.silenceOf(work, call);
    for (const listener of this.listeners) listener({ work, silence });
  }
}

/** A process is counted once: of several reports, the earliest stage and the most other work. */
function addLoss({ deaths }: CallRecord, { server, stage, sentAt, others }: LossOfCall): void {
  const same = deaths.find((each) => each.server === server);
  if (same) {
    same.stage = Math.min(same.stage, stage);
    same.others = Math.max(same.others, others);
  } else if (deaths.length <= UNEXPLAINED_MAX) deaths.push({ server, stage, sentAt, others });
}
