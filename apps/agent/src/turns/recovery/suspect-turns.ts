import { Inject, Injectable } from '@nestjs/common';
import { type LeasedTurn, SessionCalls, serviceCtx } from '@switchyard/contracts';
import { Bus, BUS_OPTIONS, type BusOptions, Others, type Repeat, Trials } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import type { TurnSlot } from '../limits/turn-slots';

/** Requests wait no longer for the note that they run beside a turn that was lost. */
const NOTED_WITHIN_MS = 1_000;

/** A turn that ends its process mostly does so at once: one that waits for so long lets the next one be tried. */
const WAITS_FOR_MS = 1_000;

/** Turns that lost their process run as trials: not beside a request that did, and requests wait for a moment. */
@Injectable()
export class SuspectTurns {
  constructor(
    private readonly bus: Bus,
    private readonly trials: Trials,
    @Inject(BUS_OPTIONS) private readonly options: BusOptions,
    private readonly logger: Logger,
  ) {}

  /** Resolves with what has to be called when the turn has ended here. */
  async enter({ key, epoch }: LeasedTurn): Promise<() => void> {
    const report = (others: number): Promise<void> | undefined =>
      others === Others.none ? undefined : this.noteRequests({ key, epoch });
    const repeat: Repeat = { ageMs: Infinity, isBackground: true, report };
    await this.trials.enter(repeat);
    return () => {
      this.trials.leave(repeat);
    };
  }

  /** The slot of such a turn: while it rests, other lost turns are tried. */
  watch({ key, epoch }: LeasedTurn, slot: TurnSlot): TurnSlot {
    return new SuspectSlot(slot, (areWaiting) => this.note({ key, epoch }, { areWaiting }));
  }

  private noteRequests(turn: LeasedTurn): Promise<void> {
    return this.note(turn, { hasRequests: true });
  }

  private async note(turn: LeasedTurn, state: { hasRequests: true } | { areWaiting: boolean }): Promise<void> {
    const message = { owner: this.options.instance, turns: [turn], ...state };
    const options = { timeoutMs: NOTED_WITHIN_MS };
    await this.bus.call(SessionCalls.heartbeatTurns, serviceCtx('agent'), message, options).catch((error: unknown) => {
      this.logger.warn({ err: error, turn: turn.key, ...state }, 'failed to note the state of a lost turn');
    });
  }
}

/** Reports when its turn waits, and before it works again that it does not. */
export class SuspectSlot implements TurnSlot {
  private timer: NodeJS.Timeout | undefined;
  private noted: Promise<void> | undefined;

  constructor(
    private readonly slot: TurnSlot,
    private readonly note: (isWaiting: boolean) => Promise<void>,
  ) {}

  mayBegin(): Promise<void> | undefined {
    return this.slot.mayBegin();
  }

  work(signal: AbortSignal): Promise<void> | undefined {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { noted } = this;
    if (!noted) return this.slot.work(signal);
    this.noted = undefined;
    return noted.then(() => this.note(false)).then(() => this.slot.work(signal));
  }

  rest(): void {
    this.slot.rest();
    if (this.noted) return;
    this.timer ??= setTimeout(() => {
      this.noted = this.note(true);
    }, WAITS_FOR_MS).unref();
  }

  leave(): void {
    clearTimeout(this.timer);
    this.slot.leave();
  }
}
