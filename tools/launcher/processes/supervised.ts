import { setTimeout as sleep } from 'node:timers/promises';
import { StopSentence } from '../stop-sentence';
import { Child, type ChildOptions, type Exit } from './child';

export interface SupervisedOptions {
  name: string;
  /** Everything the process needs, made anew for each start. */
  describe: () => ChildOptions;
  /** Whether it answers; asked again and again until it does. */
  isReady: () => Promise<boolean>;
  readyWithinMs: number;
  stopSignal: NodeJS.Signals;
  stopGraceMs: number;
}

export interface ProcessEnd extends Exit {
  /** Otherwise, the process ended while starting. */
  hasBeenReady: boolean;
}

export interface SupervisorEvents {
  /** A process has started or ended: the list of running processes is another one now. */
  onProcesses: () => void;
  onNote: (text: string) => void;
  /** It ended by itself. If others have taken its place, says so, and it is not started again. */
  onOwnEnd?: (end: ProcessEnd) => string | undefined;
  /** It was being stopped, and did not end in order: it had an error, or was killed. */
  onDisorderlyEnd?: (end: ProcessEnd) => void;
}

const backoffMs = [100, 500, 1_000, 2_000, 5_000, 10_000];
const settledMs = 30_000;
const pollMs = 25;

/** A process that is started again when it dies, with growing pauses, until somebody stops it. */
export class Supervised {
  readonly name: string;
  private child: Child | undefined;
  private wanted = false;
  private hasBeenReady = false;
  private failures = 0;

  constructor(
    private readonly options: SupervisedOptions,
    private readonly events: SupervisorEvents,
  ) {
    this.name = options.name;
  }

  get pid(): number | undefined {
    return this.child?.hasExited === false ? this.child.pid : undefined;
  }

  get stopSignal(): NodeJS.Signals {
    return this.options.stopSignal;
  }

  /** Resolves when it answers; rejects when it dies before that, or takes too long. */
  async start(): Promise<void> {
    this.wanted = true;
    this.hasBeenReady = false;
    const child = this.child?.hasExited === false ? this.child : this.spawn();
    const answer = await Promise.race([this.untilReady(child), child.exited]);
    if (answer === 'ready') return;
    const wasStopped = !this.isWanted();
    await this.stop();
    if (wasStopped) throw new StopSentence(`${this.name} was stopped while starting.`);
    const reason =
      answer === 'late' ? `did not get ready within ${this.options.readyWithinMs / 1000} s` : 'ended while starting';
    throw new StopSentence(`${this.name} ${reason}. Its last lines:\n${child.tail().replace(/^/gm, '  ')}`);
  }

  /** Starts it in the place of another one that has been ready: if it ends, also while starting, it is started again. */
  startAsReplacement(): void {
    this.wanted = true;
    this.hasBeenReady = true;
    this.spawn();
  }

  /** Ends it for good, or until `start` is called again. */
  async stop(signal = this.options.stopSignal): Promise<void> {
    this.wanted = false;
    await this.child?.stop(signal, this.options.stopGraceMs);
  }

  /** Begins a stop, which `stop` completes. A process that ends meanwhile is not started again. */
  beginStop(signal: NodeJS.Signals): void {
    this.wanted = false;
    this.child?.signal(signal);
  }

  // A method, because the compiler believes that a field keeps its value across an await.
  private isWanted(): boolean {
    return this.wanted;
  }

  private spawn(): Child {
    const child = new Child(this.options.describe());
    this.child = child;
    this.startAgainAfter(child, Date.now()).catch((error: unknown) => {
      // It must not end the launcher, and all other processes with it.
      this.events.onNote(
        `${this.name} is not started again: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    this.events.onProcesses();
    return child;
  }

  private async startAgainAfter(child: Child, startedAt: number): Promise<void> {
    const { code, signal } = await child.exited;
    this.events.onProcesses();
    const end = { code, signal, hasBeenReady: this.hasBeenReady };
    if (!this.wanted) {
      if (!child.hasEndedInOrder) this.events.onDisorderlyEnd?.(end);
      return;
    }
    const ended = `${this.name} ended (${signal ?? `code ${code}`})`;
    const replacement = this.events.onOwnEnd?.(end);
    if (replacement !== undefined) {
      this.wanted = false;
      this.events.onNote(`${ended}; ${replacement}`);
      return;
    }
    if (!this.hasBeenReady) return;
    if (Date.now() - startedAt > settledMs) this.failures = 0;
    const pauseMs = backoffMs[Math.min(this.failures, backoffMs.length - 1)] ?? 0;
    this.failures += 1;
    this.events.onNote(`${ended}; starting it again in ${pauseMs / 1000} s`);
    await sleep(pauseMs);
    if (this.isWanted() && this.child === child) this.spawn();
  }

  private async untilReady(child: Child): Promise<'ready' | 'late'> {
    const deadline = Date.now() + this.options.readyWithinMs;
    while (Date.now() < deadline && !child.hasExited) {
      if (await this.options.isReady()) {
        this.hasBeenReady = true;
        return 'ready';
      }
      await sleep(pollMs);
    }
    return 'late';
  }
}
