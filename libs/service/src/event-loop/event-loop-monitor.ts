import { coalesced, onActivity } from '@switchyard/concurrency';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';
import { type EventLoopStall, isOwnStall } from './event-loop-stall';
import { mainThreadCpu } from './main-thread-cpu';
import { StackSampler } from './stack-sampler';

const BEAT_MS = 50;
/** Of a process that has nothing to do: a timer that wakes it is most of what it does then. */
const IDLE_BEAT_MS = 5_000;
/** A process that uses less of a processor than that has nothing to do. */
const IDLE_SHARE = 0.02;
/** A sample arrives from its thread a moment after the stall. */
const SAMPLES_WITHIN_MS = 250;
/** Loading and compiling are not what this looks for. */
const START_UP_MS = 5_000;

export interface EventLoopWatchOptions {
  /** A stall that used so much processor time is reported; with 0 none is, and the delay is measured alone. */
  limitMs: number;
  /** Otherwise the thread that takes the stacks starts at the first stall: it costs ten megabytes. */
  samplesFromStart: boolean;
  startUpMs?: number;
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
/** Since when a beat is awaited that is due after `beatMs`: for the sampler, all beats are as short as the shortest. */
const dueFrom = (at: number, beatMs: number): number => at + beatMs - BEAT_MS;

/**
 * Measures how late the event loop is, and reports what held it for too long, with the stack. In an idle process it
 * looks every five seconds, and again as often as at first when a message or a request comes. A stall of an idle
 * process that has another cause, a look of its own for instance, may pass unseen when it is shorter than five seconds.
 */
export class EventLoopMonitor {
  /** Of this process, which has one event loop. */
  private static running: EventLoopMonitor | undefined;
  private readonly sampler: StackSampler;
  private readonly delays;
  private readonly stalls;
  private readonly cpu = mainThreadCpu();
  private last = { at: 0, cpuMs: 0, beatMs: BEAT_MS };
  private timer: NodeJS.Timeout | undefined;
  private isIdle = false;
  private leave: () => void = () => undefined;

  constructor(
    private readonly options: EventLoopWatchOptions,
    private readonly logger: Pick<Logger, 'warn'>,
    metrics: Pick<Metrics, 'histogram' | 'counter'>,
  ) {
    this.sampler = new StackSampler(options.limitMs / 2);
    this.delays = metrics.histogram(
      'switchyard_event_loop_delay_seconds',
      'Delay of the event loop: how much later than planned a timer ran.',
      [],
      [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    );
    this.stalls = metrics.counter(
      'switchyard_event_loop_stalls_total',
      'Times that the event loop of this process was blocked for longer than EVENT_LOOP_STALL_MS.',
    );
  }

  start(): void {
    EventLoopMonitor.running = this;
    this.timer = setTimeout(() => {
      if (this.options.samplesFromStart && this.options.limitMs > 0) this.sampler.start();
      this.next(nowMs(), this.cpu(), BEAT_MS);
      this.leave = onActivity(() => {
        if (this.isIdle) this.attend();
      });
    }, this.options.startUpMs ?? START_UP_MS).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.leave();
    this.sampler.stop();
  }

  /** Ignores the current stall: a test caused it. */
  static excuse(): void {
    const monitor = EventLoopMonitor.running;
    monitor?.remember(nowMs(), monitor.cpu(), monitor.last.beatMs);
  }

  private attend(): void {
    this.isIdle = false;
    clearTimeout(this.timer);
    this.next(nowMs(), this.cpu(), BEAT_MS);
  }

  private beat(): void {
    const { at, cpuMs, beatMs } = this.last;
    const now = nowMs();
    const cpuNow = this.cpu();
    const used = cpuNow - cpuMs;
    const lateMs = Math.max(0, now - at - beatMs);
    this.delays.observe(lateMs / 1000);
    this.isIdle = !this.options.samplesFromStart && used < (now - at) * IDLE_SHARE;
    this.next(now, cpuNow, this.isIdle ? coalesced(IDLE_BEAT_MS) : BEAT_MS);
    // Before the beat was due, the event loop may have slept.
    const wallMs = Math.min(now - at, lateMs + BEAT_MS);
    const stall = { wallMs: Math.round(wallMs), cpuMs: Math.round(Math.min(used, wallMs)) };
    if (this.options.limitMs === 0 || !isOwnStall(stall, this.options.limitMs)) return;
    this.stalls.inc();
    setTimeout(() => {
      this.report({ ...stall, stacks: this.sampler.stacksAfter(dueFrom(at, beatMs)) });
    }, SAMPLES_WITHIN_MS).unref();
    if (!this.sampler.isRunning) this.sampler.start();
  }

  private report(eventLoopStall: EventLoopStall): void {
    this.logger.warn({ eventLoopStall }, `the event loop stalled for ${eventLoopStall.wallMs} ms`);
  }

  private next(at: number, cpuMs: number, beatMs: number): void {
    this.remember(at, cpuMs, beatMs);
    this.timer = setTimeout(() => {
      this.beat();
    }, beatMs).unref();
  }

  private remember(at: number, cpuMs: number, beatMs: number): void {
    this.last = { at, cpuMs, beatMs };
    this.sampler.beat(dueFrom(at, beatMs));
  }
}
