import { setMaxListeners } from 'node:events';
import { AdaptivePollInterval, type IdlePoller, type Polled, coalesced } from '@switchyard/concurrency';
import { sleep } from '@switchyard/kernel';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';

/** A second apart. */
const PREPARE_ATTEMPTS = 60;

type Work = (signal: AbortSignal) => Promise<unknown>;

/** Loops that begin when the service is up and end with it. A failing round is logged, and the next one comes. */
export class Workers {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly endings: (() => Promise<void>)[] = [];
  private readonly beginnings: { name: string; work: () => Promise<void> }[] = [];
  private started = false;

  private readonly failures;

  constructor(
    private readonly logger: Logger,
    metrics?: Metrics,
  ) {
    // Each loop listens, and there may be many.
    setMaxListeners(0, this.stopping.signal);
    this.failures = metrics?.counter('switchyard_worker_failures_total', 'Failed rounds of background work.', [
      'worker',
    ]);
  }

  /** Runs `work` with a pause of about `intervalMs` between its end and its next start. */
  every(name: string, intervalMs: number, work: Work): void {
    this.begin(async (signal) => {
      while (!signal.aborted) {
        await this.round(name, work, signal);
        await sleep(coalesced(intervalMs * (0.9 + Math.random() * 0.2)), signal);
      }
    });
  }

  /**
   * As `every`, as long as `work` says that there is something left to look after. The returned function says that
   * there is something again; it costs nothing where that is known.
   */
  whileNeeded(name: string, intervalMs: number, work: (signal: AbortSignal) => Promise<boolean>): () => void {
    let isNeeded = false;
    let go = (): void => undefined;
    this.begin(async (signal) => {
      signal.addEventListener('abort', () => go(), { once: true });
      while (!signal.aborted) {
        if (!isNeeded) await new Promise<void>((resolve) => (go = resolve));
        await sleep(coalesced(intervalMs), signal);
        // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
        if (signal.aborted) return;
        isNeeded = false;
        // The returned function may have been called meanwhile.
        if (await this.round(name, work, signal)) isNeeded = true;
      }
    });
    return () => {
      if (isNeeded) return;
      isNeeded = true;
      go();
    };
  }

  /**
   * Runs `work` again at once as long as it says that there was something to do, else after `intervalMs` or when the
   * returned function is called. When it has found nothing for a while, five seconds pass between two looks: work that
   * this process is woken for is never late; what another one left behind when it died waits that long. With a
   * `poller`, one look for all loops of the process takes the place of those of an idle one.
   */
  poll(
    name: string,
    intervalMs: number,
    work: (signal: AbortSignal) => Promise<Polled>,
    poller?: IdlePoller,
  ): () => void {
    const pause = new AdaptivePollInterval(intervalMs, poller);
    let woken = false;
    this.begin(async (signal) => {
      signal.addEventListener(
        'abort',
        () => {
          pause.wake();
        },
        { once: true },
      );
      while (!signal.aborted) {
        woken = false;
        const more = await this.round(name, work, signal);
        pause.looked(more);
        // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
        if (more === true || woken || this.stopping.signal.aborted) continue;
        await pause.wait();
      }
    });
    return () => {
      woken = true;
      pause.wake();
    };
  }

  private begin(loop: (signal: AbortSignal) => Promise<void>): void {
    const run = (): void => {
      this.loops.push(loop(this.stopping.signal));
    };
    if (this.started) run();
    else this.waiting.push(run);
  }

  private async round<Found>(
    name: string,
    work: (signal: AbortSignal) => Promise<Found>,
    signal: AbortSignal,
  ): Promise<Found | 'soon'> {
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted) {
        this.failures?.inc({ worker: name });
        this.logger.warn({ err: error, worker: name }, 'a worker failed; it continues');
      }
      await sleep(1000, signal);
      // The poll failed, so there may be work.
      return 'soon';
    }
  }

  /** Runs once when the database is connected, before the service takes work. */
  beforeStart(name: string, work: () => Promise<void>): void {
    this.beginnings.push({ name, work });
  }

  /** Runs what comes before the start. A failure is logged and repeated for a minute; then the start fails. */
  async prepare(): Promise<void> {
    for (const { name, work } of this.beginnings)
      for (let attempt = 1; (await this.round(name, work, this.stopping.signal)) === 'soon'; attempt += 1)
        if (attempt >= PREPARE_ATTEMPTS) throw new Error(`failed before the start: ${name}`);
  }

  start(): void {
    this.started = true;
    for (const run of this.waiting.splice(0)) run();
  }

  /** Runs once when the process begins to stop, while all of it still works; the stop waits for it. */
  atStop(work: () => Promise<void>): void {
    this.endings.push(work);
  }

  /** Tells the loops to end, and waits for them as long as `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    this.loops.push(...this.endings.map((work) => work()));
    await Promise.race([Promise.allSettled(this.loops), sleep(graceMs)]);
  }
}
