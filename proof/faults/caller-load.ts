import type { History } from './history';
import { Random } from './random';
import type { Work } from './strike';

export interface CallerOptions {
  callers: number;
  giveUpAt: number;
}

/** So many tasks, by callers who each finish one before they begin the next. */
export abstract class CallerLoad<Outcome, Options extends CallerOptions> implements Work {
  readonly outcomes: Outcome[] = [];
  private next = 0;

  constructor(
    protected readonly history: History,
    private readonly seed: number,
    private readonly count: number,
    protected readonly options: Options,
  ) {}

  get accepted(): number {
    return this.outcomes.length;
  }

  get isOver(): boolean {
    return this.outcomes.length >= this.count || Date.now() > this.options.giveUpAt;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.callers }, () => this.runCaller()));
  }

  /** Tasks of one caller: the same ones for the same seed, whichever caller takes them. */
  protected *tasks(): Generator<{ index: number; random: Random }> {
    while (this.next < this.count && Date.now() < this.options.giveUpAt) {
      const index = this.next;
      this.next += 1;
      yield { index, random: new Random(this.seed + index) };
    }
  }

  protected abstract runCaller(): Promise<void>;

  /** The time by which one task must be over. */
  protected giveUpWithin(ms: number): number {
    return Math.min(this.options.giveUpAt, Date.now() + ms);
  }
}
