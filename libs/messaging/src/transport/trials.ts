import { waitUntil, yieldToEventLoop } from '@switchyard/kernel';
import { Others } from './interrupted-calls';

/** Fresh work waits at most so long for a trial. */
const CLOSED_MAX_MS = 2_000;
/** For work in the background, which mostly takes longer, and of which more is lost at a time. */
const BACKGROUND_CLOSED_MAX_MS = 1_000;
/** Requests that run for longer do not explain the end of a process. */
const QUIET_WITHIN_MS = 500;
/** A repeat that waited so long for its trial runs beside others. */
const TURN_WITHIN_MS = 5_000;
/** A trial that runs for longer does not delay the next one. */
const TRIAL_MAX_MS = 30_000;
const POLL_MS = 5;

/** A request that was sent before, or work of this process that lost its process before. */
export interface Repeat {
  /** Since its last try was sent; `Infinity` if that one lost its process. */
  ageMs: number;
  /** Such as a turn or an execution: which of them run together is decided by the database, which counts their losses. */
  isBackground?: boolean;
  /** Tells where losses are counted what runs beside it: see `Others`. Does not throw. */
  report: (others: number) => unknown;
}

interface Suspect {
  begunAt: number;
  /** The last report. */
  others: number;
}

/** Runs what only waits for an answer from outside. */
export type WaitOutside = <T>(wait: () => Promise<T>) => Promise<T>;

/** Receives measurements of the trials of a process. */
interface TrialsObserver {
  /** A repeat begins: alone, or beside others. */
  began: (repeat: Repeat, isAlone: boolean) => void;
  /** So long the entrance was closed. */
  closed: (seconds: number) => void;
  /** Fresh work waited so long. */
  waited: (seconds: number) => void;
}

/**
 * Entrance of a process for calls and streams, and for its work in the background. Work that lost its process before runs as a
 * trial: one request at a time, while fresh work waits. If the process ends meanwhile, the trial has ended it.
 *
 * Fresh work waits for two seconds at most, one for work in the background. If any did, the next trial begins after as much time without one.
 *
 * A trial that only waits for an answer from outside ends no process meanwhile: it is `outside`, and others may begin as soon
 * as it is known where its losses are counted. The work behind the answer is a trial again.
 */
export class Trials {
  /** Set once, at the start. */
  observer: TrialsObserver | undefined;
  private isClosed = false;
  /** Closed for those that are outside alone: the next work waits only until they are told. */
  private opensOnReport = false;
  /** Work in progress; streams until their first frame. */
  private running = 0;
  /** Work in progress that lost its process before. */
  private readonly suspects = new Map<Repeat, Suspect>();
  /** Trials that wait for an answer from outside, with the last report. */
  private readonly outsiders = new Map<Repeat, Pick<Suspect, 'others'>>();
  /** When this process or a replica of it started: requests sent before that may have lost their process. */
  private startedAt = performance.now();
  private trial: Repeat | null = null;
  /** Trials of work in the background follow each other while the entrance is closed. */
  private isForBackground = false;
  private closedAt = 0;
  /** Resolves when fresh work has ended, or runs for so long that it explains nothing. */
  private quiet: Promise<unknown> = Promise.resolve();
  private hasDelayed = false;
  private restsUntil = 0;
  /** Resolves when the trial ends, or when fresh requests have waited long enough. */
  private passable = Promise.resolve();
  private letIn = (): void => undefined;
  private timer: NodeJS.Timeout | undefined;
  private joining: Promise<void> | undefined;

  /** A replica of this process started, or this one. */
  replicaStarted(): void {
    this.startedAt = performance.now();
  }

  /** How much of what lost its process before is in progress. */
  get suspectCount(): number {
    return this.suspects.size + this.outsiders.size;
  }

  /** Resolves when the work may begin; undefined if that is now. All work leaves. */
  enter(repeat?: Repeat): Promise<void> | undefined {
    if (repeat) return this.enterAgain(repeat);
    if (this.isClosed) return this.pass();
    this.running += 1;
    return undefined;
  }

  /** When the request has its answer, or the work its end. */
  leave(repeat?: Repeat): void {
    this.running -= 1;
    if (!repeat) return;
    this.suspects.delete(repeat);
    const isTrial = this.trial === repeat;
    if (isTrial) this.trial = null;
    if (!this.isClosed || this.opensOnReport || this.trial !== null) return;
    // The last one to leave opens, whichever of them was the trial.
    if (this.isForBackground) setImmediate(() => this.trial === null && this.openIfOver());
    else if (isTrial) this.open();
  }

  /** For work in the background that has entered, and has nothing to do before the answer is there. */
  async outside<T>(repeat: Repeat, wait: () => Promise<T>): Promise<T> {
    const answer = wait();
    const suspect = this.suspects.get(repeat);
    if (!suspect) return answer;
    this.outsiders.set(repeat, suspect);
    this.leave(repeat);
    try {
      return await answer;
    } finally {
      this.outsiders.delete(repeat);
      await this.enterAgain(repeat, { isReturning: true });
    }
  }

  /** While others of the background are alone, it stays closed until they are told. */
  private openIfOver(): void {
    // Work that has waited for too long opens it when losses are counted as those of work beside others.
    if (!this.isClosed || this.opensOnReport || this.joining) return;
    if ([...this.suspects.values()].some(({ others }) => others <= Others.none)) return;
    if ([...this.outsiders.values()].some(({ others }) => others <= Others.none)) this.openOnReport();
    else this.open();
  }

  /** The time of the trial is over, and all that have waited for it may begin. */
  private openOnReport(): void {
    this.opensOnReport = true;
    this.endTrialTime();
  }

  private async enterAgain(repeat: Repeat, { isReturning = false } = {}): Promise<void> {
    const isSuspect = performance.now() - this.startedAt < repeat.ageMs;
    if (isSuspect) await waitUntil(() => this.close(repeat), TURN_WITHIN_MS, POLL_MS);
    const isTrial = this.suspects.has(repeat);
    if (isTrial) {
      await this.quiet;
      this.running += 1;
    } else if (this.isClosed) await this.pass();
    else this.running += 1;
    await (isSuspect ? this.beginSuspect(repeat, { isTrial, isReturning }) : repeat.report(Others.always));
    await sent();
  }

  private async beginSuspect(
    repeat: Repeat,
    { isTrial, isReturning }: { isTrial: boolean; isReturning: boolean },
  ): Promise<void> {
    if (!isTrial) this.addSuspect(repeat);
    const since = performance.now() - TRIAL_MAX_MS;
    const hasCompany = [...this.suspects].some(
      ([other, { begunAt }]) => other !== repeat && begunAt > since && !(other.isBackground && repeat.isBackground),
    );
    const isAlone = isTrial && !this.joining && !hasCompany;
    if (!isReturning) this.observer?.began(repeat, isAlone);
    await this.report(repeat, isAlone ? Others.none : Others.always);
  }

  /** Others do not become fewer: a later report of fewer counts for nothing. */
  private report(repeat: Repeat, others: number): unknown {
    const suspect = this.suspects.get(repeat) ?? this.outsiders.get(repeat);
    if (!suspect || others <= suspect.others) return undefined;
    suspect.others = others;
    return repeat.report(others);
  }

  /** False while another trial runs, or fresh work has to be let in. */
  private close(repeat: Repeat): boolean {
    const now = performance.now();
    const isNext = this.isForBackground && repeat.isBackground === true;
    if (this.opensOnReport) {
      if (!isNext) void this.joinOnce();
      if (this.joining) return false;
    } else if (this.isClosed) {
      if (!isNext || this.joining) return false;
      if (now < this.closedAt + BACKGROUND_CLOSED_MAX_MS) {
        this.setTrial(repeat);
        return true;
      }
      this.open();
    }
    const isOver = this.trial === null || isNext || now > this.closedAt + TRIAL_MAX_MS;
    if (!isOver || now < this.restsUntil) return false;
    this.setTrial(repeat);
    this.isClosed = true;
    this.opensOnReport = false;
    this.closedAt = now;
    this.quiet = waitUntil(() => this.running === 0, QUIET_WITHIN_MS, POLL_MS);
    this.hasDelayed = false;
    this.joining = undefined;
    this.passable = new Promise((resolve) => (this.letIn = resolve));
    this.timer = setTimeout(this.letIn, repeat.isBackground ? BACKGROUND_CLOSED_MAX_MS : CLOSED_MAX_MS).unref();
    return true;
  }

  private setTrial(repeat: Repeat): void {
    this.trial = repeat;
    this.addSuspect(repeat);
    this.isForBackground = repeat.isBackground === true;
  }

  private addSuspect(repeat: Repeat): void {
    this.suspects.set(repeat, { begunAt: performance.now(), others: -1 });
  }

  private open(): void {
    this.isClosed = false;
    if (this.opensOnReport) this.opensOnReport = false;
    else this.endTrialTime();
  }

  private endTrialTime(): void {
    const now = performance.now();
    this.observer?.closed((now - this.closedAt) / 1000);
    if (this.hasDelayed) this.restsUntil = now + (now - this.closedAt);
    clearTimeout(this.timer);
    this.letIn();
  }

  private async pass(): Promise<void> {
    const since = performance.now();
    this.hasDelayed = true;
    await this.passable;
    if (this.isClosed) await this.joinOnce();
    this.running += 1;
    this.observer?.waited((performance.now() - since) / 1000);
  }

  private joinOnce(): Promise<void> {
    return (this.joining ??= this.join());
  }

  /** The trial has used its time: where its losses are counted, it is known that it is not alone before others begin. */
  private async join(): Promise<void> {
    const { passable } = this;
    const together = [...this.suspects.keys(), ...this.outsiders.keys()];
    await Promise.all(together.map((repeat) => this.report(repeat, Others.joined)));
    await sent();
    // It was perhaps opened meanwhile, and closed for another trial.
    if (this.isClosed && this.passable === passable) this.open();
  }
}

/** A report is written to the connection before the work begins, which may end the process. */
async function sent(): Promise<void> {
  await yieldToEventLoop();
  await yieldToEventLoop();
}
