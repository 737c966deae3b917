import { AppError, within } from '@switchyard/kernel';
import type { TurnResult } from '@switchyard/contracts';
import { streamInterrupted } from '@switchyard/messaging';
import { closingFrames, turnResult } from '../../domain/turn-outcome';
import type { TurnState } from '../../domain/turn-state';
import type { Effect, Update } from '../../domain/turn-update';
import { ask, askApproval } from './steps/ask-step';
import { ModelStep } from './steps/model-step';
import { storeTurnEnd } from './steps/store-turn-end';
import { ToolStep } from './steps/tool-step';
import type { TurnFeed } from '../frames/turn-feed';
import type { TurnDeps } from './turn-deps';
import { endTurnSpan } from './turn-span';
import type { TurnSpec } from './turn-spec';
import type { TurnSlot } from '../limits/turn-slots';
import { TurnExecution } from './turn-execution';

/** Effects that start work: a model call or a tool call. */
const isStep = ({ type }: Effect): boolean => type === 'retrieve' || type === 'call-model' || type === 'run-tools';

const TIME_UP_AGAIN_MS = 3_000;

/** Drives one turn: carries out what the reducer asks for, and tells it what came of it. */
export class TurnRunner {
  private readonly turn: TurnExecution;
  private readonly model: ModelStep;
  private readonly tools: ToolStep;
  private timer: NodeJS.Timeout | undefined;
  private timerSetAt = 0;
  /** The time of the turn was over while its Space was suspended: since when none of it counts. */
  private suspendedSince: number | undefined;
  private wake: (() => void) | undefined;
  private isLost = false;
  private leaving = false;
  private finish!: { resolve: (result: TurnResult) => void; reject: (error: Error) => void };
  /** How the stretch ended. Rejects when the turn was lost to another process. */
  readonly done: Promise<TurnResult>;

  constructor(
    readonly spec: TurnSpec,
    readonly feed: TurnFeed,
    state: TurnState,
    private readonly services: TurnDeps,
    private readonly slot: TurnSlot,
    /** Calls of local tools that the host has been told of already, before a takeover. */
    announced: ReadonlySet<string> = new Set(),
  ) {
    this.turn = new TurnExecution(spec, feed, state);
    this.model = new ModelStep(this.turn, services);
    this.tools = new ToolStep(this.turn, services, announced, (error) => {
      if (error !== undefined) this.fail(error);
      this.wake?.();
    });
    this.done = new Promise((resolve, reject) => {
      this.finish = { resolve, reject };
    });
    this.done.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.feed.isOver;
  }

  /** The first update: a beginning, an answer to a question, a takeover, or an end. */
  start(update: Update): void {
    this.beginTimer();
    endTurnSpan(this.spec.span, this.done);
    try {
      this.turn.apply(update);
    } catch (error) {
      this.fail(error);
    }
    void within(this.spec.span, () => this.drive());
  }

  private beginTimer(): void {
    this.timerSetAt = Date.now();
    this.setTimer(this.services.limits.turnTimeoutMs - this.turn.workedMs);
  }

  private setTimer(ms: number): void {
    const timer = setTimeout(() => void this.timeUp(timer), Math.max(1, ms));
    this.timer = timer;
  }

  private endTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.discountSuspension();
  }

  private discountSuspension(): void {
    if (this.suspendedSince === undefined) return;
    this.turn.rested(Date.now() - this.suspendedSince);
    this.suspendedSince = undefined;
  }

  /**
   * A turn does not end while its Space is suspended, or while that is not known: the time that passes in a step counts
   * only as far as the Space was active.
   */
  private async timeUp(timer: NodeJS.Timeout): Promise<void> {
    const since = await this.services.spaceSuspensions.suspendedSince(this.spec.ctx);
    // It rests meanwhile, or is over.
    if (this.timer !== timer) return;
    if (since !== null) {
      this.suspendedSince ??= Math.max(since, this.timerSetAt);
      this.setTimer(TIME_UP_AGAIN_MS);
      return;
    }
    if (this.suspendedSince !== undefined) {
      this.discountSuspension();
      this.beginTimer();
      return;
    }
    this.interrupt({
      type: 'failed',
      code: 'TIMEOUT',
      message: 'The turn took longer than a turn may. What it has said so far is kept.',
      retryable: true,
    });
  }

  /** Works in every phase; output sent so far stays. */
  cancel(): void {
    this.interrupt({ type: 'cancelled' });
  }

  /** Another process holds the turn: nothing more is written or said here. */
  abandon(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.slot.leave();
    this.turn.leave();
    this.endTimer();
    this.feed.breakOff();
    this.finish.reject(streamInterrupted());
    this.wake?.();
  }

  /** As `abandon`, if another process has taken over: nothing more may be stored here. */
  lose(): void {
    this.abandon();
    this.feed.discardUnsent();
  }

  /** The lease had run out, and this process has it again: the turn goes on as it was. */
  adopt(epoch: number): void {
    this.spec.epoch = epoch;
    this.feed.adopt(epoch);
  }

  /** Under which lease this process holds the turn. */
  get lease(): { key: string; epoch: number } {
    return this.turn.lease;
  }

  /** Its end, or its question, is being stored: the turn may be free already, and only that answer tells by whom. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  /** Never throws: a turn that cannot even be told to end is left to its lease. */
  private interrupt(update: Update): void {
    if (this.isLost) return;
    try {
      if (this.turn.interrupt(update)) this.wake?.();
    } catch (error) {
      this.services.log.error({ err: error, turn: this.spec.key }, 'failed to end a turn');
      this.abandon();
    }
  }

  /** Never rejects. */
  private async drive(): Promise<void> {
    const { effects } = this.turn;
    try {
      while (!this.isLost) {
        const effect = effects.shift();
        if (effect) {
          if (effect.type === 'save' && effects.some(({ type }) => type === 'save')) continue;
          if (effect.type === 'close') await this.close();
          else await this.unlessStopped(this.whenPlaced(effect));
        } else if (this.tools.isBusy) {
          const woken = new Promise<void>((resolve) => {
            this.wake = resolve;
          });
          await (this.waitsForHost ? this.waitForHost(woken) : woken);
        } else return;
      }
    } catch (error) {
      this.fail(error);
      if (!this.isLost) await this.drive();
    }
  }

  /** Only tools that the host application runs are under way. */
  private get waitsForHost(): boolean {
    return this.tools.isBusy && this.tools.isOnlyWaiting;
  }

  private async waitForHost(woken: Promise<void>): Promise<void> {
    this.slot.rest();
    const end = new AbortController();
    void woken.then(() => {
      end.abort();
    });
    const { spaceSuspensions: suspensions } = this.services;
    const { ctx } = this.spec;
    const isOver = (): boolean => end.signal.aborted;
    while (!isOver()) {
      await suspensions.untilSuspended(ctx, end.signal);
      if (!isOver()) await this.rest(suspensions.untilResumed(ctx, end.signal));
    }
    await woken;
  }

  /** An unexpected error ends the turn, never the process. */
  private fail(error: unknown): void {
    if (this.isLost) return;
    if (error instanceof AppError && error.code === 'CONFLICT') {
      this.services.log.warn({ turn: this.spec.key }, 'another process holds the lease of this turn');
      this.lose();
      return;
    }
    this.services.log.error({ err: error, turn: this.spec.key }, 'a turn failed');
    if (this.turn.state.phase === 'closing') {
      this.abandon();
      return;
    }
    const appError = error instanceof AppError ? error : null;
    this.interrupt({
      type: 'failed',
      code: appError && appError.code !== 'SERVER_ERROR' ? 'RUNTIME_UNAVAILABLE' : 'SERVER_ERROR',
      message: appError?.message ?? 'Something went wrong on our side.',
      retryable: true,
    });
  }

  private async whenPlaced(effect: Exclude<Effect, { type: 'close' }>): Promise<void> {
    const paused = isStep(effect) ? this.pause({ isRelayed: effect.type === 'call-model' }) : undefined;
    if (paused !== undefined) await this.rest(paused);
    const entering = this.slot.work(this.turn.signal);
    if (entering !== undefined) await entering;
    if (this.turn.isStopped()) return;
    return this.perform(effect);
  }

  private pause(step: { isRelayed: boolean }): Promise<void> | undefined {
    return this.services.spaceSuspensions.pause(this.spec.ctx, this.turn.signal, step);
  }

  /** The Space is suspended: that takes nothing of the time of the turn, nor of the places of others. */
  private async rest(paused: Promise<void>): Promise<void> {
    this.endTimer();
    this.slot.rest();
    const from = Date.now();
    await paused;
    this.turn.rested(Date.now() - from);
    if (!this.isLost && !this.turn.isStopped()) this.beginTimer();
  }

  private async perform(effect: Exclude<Effect, { type: 'close' }>): Promise<void> {
    switch (effect.type) {
      case 'retrieve':
        return this.retrieve();
      case 'call-model':
        return this.model.run();
      case 'save':
        return this.save();
      case 'run-tools':
        this.tools.run(effect.callIds);
        return;
      case 'ask':
        return this.ask(() => ask(this.turn, this.services, effect.callId));
      case 'ask-approval':
        return this.ask(() => askApproval(this.turn, this.services));
    }
  }

  /** Work in progress is abandoned when the turn is stopped: a cancel does not wait for it. */
  private unlessStopped(work: Promise<void>): Promise<void> {
    const { signal } = this.turn;
    if (signal.aborted) return work;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      work.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', leave);
      });
    });
  }

  private async retrieve(): Promise<void> {
    const items = await this.services.knowledgeRetrieval.retrieve(this.spec, this.turn.signal);
    if (!this.turn.isStopped()) this.turn.apply({ type: 'retrieved', items });
  }

  /** Durable before anything that must not happen twice. A stale epoch ends the work here. */
  private async save(): Promise<void> {
    const { turn, services } = this;
    const checkpoint = { ...turn.lease, state: { ...turn.checkpoint() } };
    const saved = await services.session.saveCheckpoint(this.spec.ctx, checkpoint, turn.signal);
    if (saved?.cancelRequested) this.cancel();
  }

  private async ask(put: () => Promise<TurnState | null>): Promise<void> {
    this.leaving = true;
    const state = await put();
    this.leaving = false;
    if (!state) return;
    this.feed.resume();
    this.over(turnResult(this.spec.facts, state, state.workedMs));
  }

  private async close(): Promise<void> {
    const { ending } = this.turn.state;
    if (!ending) throw new Error('a turn is closed that has no end');
    this.endTimer();
    if (this.turn.wasCut)
      this.turn.charge(await this.services.interruptedCallUsage.charged(this.spec, this.turn.state.usage));
    this.leaving = true;
    const { result, closed } = await storeTurnEnd(this.turn, this.services, ending);
    if (this.isLost) return;
    this.feed.resume();
    this.turn.closed();
    this.feed.emit(closingFrames(this.spec.facts, result, closed.context));
    this.over(result);
  }

  private over(result: TurnResult): void {
    this.endTimer();
    this.slot.leave();
    this.feed.end();
    this.finish.resolve(result);
  }
}
