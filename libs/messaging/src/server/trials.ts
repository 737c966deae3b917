import { waitUntil, yieldToEventLoop } from '@switchyard/kernel';
import { Others } from '../transport/interrupted-calls';

/** Fresh requests wait at most so long for a trial. */
const CLOSED_MAX_MS = 2_000;
/** Requests that run for longer do not explain the end of a process. */
const QUIET_WITHIN_MS = 500;
/** A repeat that waited so long for its trial runs beside others. */
const TURN_WITHIN_MS = 5_000;
/** A trial that runs for longer does not delay the next one. */
const TRIAL_MAX_MS = 30_000;
const POLL_MS = 5;

/** A request that was sent before. */
export interface Repeat {
  /** Since its last try was sent; `Infinity` if that one lost its process. */
  ageMs: number;
  /** Tells the caller what runs beside it: see `Others`. Does not throw. */
  report: (others: number) => void;
}

/**
 * Entrance of a process for calls and streams. A repeat of a request that lost its process runs as a trial: one at a
 * time, while fresh requests wait. If the process ends meanwhile, the trial has ended it.
 *
 * Fresh requests wait for two seconds at most. If any did, the next trial begins after as much time without one.
 */
export class Trials {
  private isClosed = false;
  /** Requests in progress; streams until their first frame. */
  private running = 0;
  /** When this process or a replica of it started: requests sent before that may have lost their process. */
  private startedAt = performance.now();
  private trial: Repeat | null = null;
  private closedAt = 0;
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

  /** Resolves when the request may begin; undefined if that is now. Each one leaves. */
  enter(repeat?: Repeat): Promise<void> | undefined {
    if (repeat) return this.enterAgain(repeat);
    if (this.isClosed) return this.pass();
    this.running += 1;
    return undefined;
  }

  /** When the request has its answer. */
  leave(repeat?: Repeat): void {
    this.running -= 1;
    if (!repeat || this.trial !== repeat) return;
    this.trial = null;
    if (this.isClosed) this.open();
  }

  private async enterAgain(repeat: Repeat): Promise<void> {
    if (await this.beginTrial(repeat)) {
      await waitUntil(() => this.running === 0, QUIET_WITHIN_MS, POLL_MS);
      this.running += 1;
      repeat.report(this.joining ? Others.always : Others.none);
    } else {
      if (this.isClosed) await this.pass();
      else this.running += 1;
      repeat.report(Others.always);
    }
    await sent();
  }

  private async beginTrial(repeat: Repeat): Promise<boolean> {
    if (performance.now() - this.startedAt >= repeat.ageMs) return false;
    await waitUntil(() => this.close(repeat), TURN_WITHIN_MS, POLL_MS);
    return this.trial === repeat;
  }

  /** False while another trial runs, or fresh requests have to be let in. */
  private close(repeat: Repeat): boolean {
    const now = performance.now();
    const isOver = this.trial === null || now > this.closedAt + TRIAL_MAX_MS;
    if (this.isClosed || !isOver || now < this.restsUntil) return false;
    this.trial = repeat;
    this.isClosed = true;
    this.closedAt = now;
    this.hasDelayed = false;
    this.joining = undefined;
    this.passable = new Promise((resolve) => (this.letIn = resolve));
    this.timer = setTimeout(this.letIn, CLOSED_MAX_MS).unref();
    return true;
  }

  private open(): void {
    const now = performance.now();
    this.isClosed = false;
    if (this.hasDelayed) this.restsUntil = now + (now - this.closedAt);
    clearTimeout(this.timer);
    this.letIn();
  }

  private async pass(): Promise<void> {
    this.hasDelayed = true;
    await this.passable;
    if (this.isClosed) await (this.joining ??= this.join());
    this.running += 1;
  }

  /** The trial has used its time: its caller learns that it is not alone before others begin. */
  private async join(): Promise<void> {
    this.trial?.report(Others.joined);
    await sent();
    if (this.isClosed) this.open();
  }
}

/** A report is written to the connection before the work begins, which may end the process. */
async function sent(): Promise<void> {
  await yieldToEventLoop();
  await yieldToEventLoop();
}
