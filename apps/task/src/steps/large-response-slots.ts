import { Injectable } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Metrics, PayerCache } from '@switchyard/service';

/** A larger answer, or one with more values, waits for a slot. */
export const SMALL_ANSWER = { bytes: 64 * 1024, values: 20_000 };
/** Answers that are read or wait to be parsed: with 768 KiB each, 18 MiB. */
const READING = 24;
/** Answers that are parsed, or are in memory until their step is written and its execution goes on. */
const PARSING = 4;

const sharedSlots = (count: number): FairSemaphore =>
  new FairSemaphore({
    slots: count,
    share: Math.ceil(count / 3),
    reserve: Math.floor(count / 4),
    // Steps wait as long as their execution may take.
    waitMs: 0,
    waiting: { all: 0, each: 0 },
    refusal: tooManyWaitFor('large answers'),
  });

/** The slots that one execution has. Each is taken once and freed with the others. */
export class AnswerSlot {
  private readonly taken = new Map<FairSemaphore, string>();

  constructor(
    private readonly slots: { reading: FairSemaphore; parsing: FairSemaphore },
    private readonly payer: () => string,
    private readonly signal: AbortSignal,
  ) {}

  /** Before more than `SMALL_ANSWER.bytes` are read. */
  readonly toRead = (): Promise<void> => this.take(this.slots.reading);

  /** Before a large answer is parsed. */
  toParse(): Promise<void> {
    return this.take(this.slots.parsing);
  }

  /** When the text was parsed and is not needed any more. */
  endReading(): void {
    this.free(this.slots.reading);
  }

  end(): void {
    this.free(this.slots.reading);
    this.free(this.slots.parsing);
  }

  private async take(slots: FairSemaphore): Promise<void> {
    if (this.taken.has(slots)) return;
    const payer = this.payer();
    if ((await slots.acquireInTime(payer, this.signal)) === 'stopped')
      throw new AppError('SERVICE_UNAVAILABLE', 'The execution was stopped.');
    this.taken.set(slots, payer);
  }

  private free(slots: FairSemaphore): void {
    const payer = this.taken.get(slots);
    if (payer === undefined) return;
    this.taken.delete(slots);
    slots.release(payer);
  }
}

/**
 * Many http steps may wait for their answers, and all may come at once. Small ones are read as they come; of large ones
 * a few are read and fewer are parsed at a time, in turns between payers.
 */
@Injectable()
export class LargeResponseSlots {
  private readonly reading = sharedSlots(READING);
  private readonly parsing = sharedSlots(PARSING);

  constructor(
    private readonly payerCache: PayerCache,
    metrics: Metrics,
  ) {
    metrics.bounded(
      {
        name: 'switchyard_step_answers',
        help: 'Large answers of http steps that are read or parsed.',
        measures: ['used', 'limit', 'waiting'],
        labels: ['stage'],
      },
      (set) => {
        for (const [stage, slots] of [
          ['reading', this.reading],
          ['parsing', this.parsing],
        ] as const)
          set({ used: slots.used, limit: slots.slots, waiting: slots.waiting }, { stage });
      },
    );
  }

  /** Of an execution, until its signal is aborted. */
  of(spaceId: string, signal: AbortSignal): AnswerSlot {
    return new AnswerSlot({ reading: this.reading, parsing: this.parsing }, () => this.payerCache.of(spaceId), signal);
  }
}
