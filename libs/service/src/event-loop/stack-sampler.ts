import { Worker } from 'node:worker_threads';

export interface StackSample {
  /** The beat after which the main thread did nothing else. */
  beat: number;
  stack: string;
}

/** As many samples are kept; a stall takes a few at most. */
const MAX_SAMPLES = 40;

/** A thread that sees when the main thread's beats stop coming, and then asks V8 where the main thread is. */
export class StackSampler {
  private readonly beats = new Float64Array(new SharedArrayBuffer(8));
  private samples: StackSample[] = [];
  private thread: Worker | undefined;

  constructor(private readonly afterMs: number) {}

  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  start(): void {
    this.thread = new Worker(require.resolve('./stack-sampler-thread'), {
      workerData: { beats: this.beats.buffer, afterMs: this.afterMs },
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
      stdin: false,
      execArgv: [],
      env: {},
    });
    this.thread.unref();
    this.thread.on('message', (sample: StackSample) => this.samples.push(sample));
    // Stalls are measured without it as well; they are reported without a stack then.
    this.thread.on('error', () => (this.thread = undefined));
  }

  stop(): void {
    void this.thread?.terminate();
    this.thread = undefined;
  }

  beat(at: number): void {
    this.beats[0] = at;
    if (this.samples.length > MAX_SAMPLES) this.samples = this.samples.slice(-MAX_SAMPLES);
  }

  /** The different places in which the main thread was found after this beat. */
  stacksAfter(beat: number): string[] {
    return [...new Set(this.samples.filter((sample) => sample.beat === beat).map(({ stack }) => stack))];
  }
}
