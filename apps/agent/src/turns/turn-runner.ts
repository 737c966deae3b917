import { AppError, backoffMs, failpoint, newId, sleep, within } from '@switchyard/kernel';
import type { TurnResult } from '@switchyard/contracts';
import { end as endTurn } from '../domain/turn-ending';
import { advance, PAUSE_FRAMES } from '../domain/turn';
import { product } from '../domain/frame';
import { closedTurn, closingFrames, isRetryable, turnResult } from '../domain/turn-outcome';
import { type ToolOutcome, type TurnState } from '../domain/turn-state';
import type { Effect, Update } from '../domain/turn-update';
import type { ToolRun } from '../tools/tool';
import { brokenOff, type TurnFeed } from './turn-feed';
import type { TurnServices } from './turn-services';
import { endTurnSpan } from './turn-span';
import type { TurnSpec } from './turn-spec';

const BREAKS_AT_MOST = 4;
const AFTER_BREAK = { baseMs: 500, maxMs: 4000 };

/** What the bus says when a service or the line to it is gone. Refusals and upstreams that fail say something else. */
const isLineBroken = (error: unknown): boolean => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';

/** Drives one turn: carries out what the reducer asks for, and tells it what came of it. */
export class TurnRunner {
  private readonly stop = new AbortController();
  private readonly effects: Effect[] = [];
  private readonly tools = new Set<string>();
  private readonly startedAt = Date.now();
  private timer: NodeJS.Timeout | undefined;
  private wake: (() => void) | undefined;
  private lost = false;
  /** How often the way to the model was lost under this turn. */
  private breaks = 0;
  private leaving = false;
  private finish!: { resolve: (result: TurnResult) => void; reject: (error: Error) => void };
  /** How the stretch ended. Rejects when the turn was lost to another process. */
  readonly done: Promise<TurnResult>;

  constructor(
    readonly spec: TurnSpec,
    readonly feed: TurnFeed,
    private state: TurnState,
    private readonly services: TurnServices,
    /** Calls of local tools that the host has been told of already, before a takeover. */
    private readonly announced: ReadonlySet<string> = new Set(),
  ) {
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
    const left = this.services.limits.turnTimeoutMs - this.state.workedMs;
    this.timer = setTimeout(
      () => {
        this.interrupt({
          type: 'failed',
          code: 'TIMEOUT',
          message: 'The turn took longer than a turn may. What it has said so far is kept.',
          retryable: true,
        });
      },
      Math.max(1, left),
    );
    endTurnSpan(this.spec.span, this.done);
    this.apply(update);
    void within(this.spec.span, () => this.drive());
  }

  /** Works in every phase; what has been said stays. */
  cancel(): void {
    this.interrupt({ type: 'cancelled' });
  }

  /** Another process holds the turn: nothing more is written or said here. */
  abandon(): void {
    if (this.lost) return;
    this.lost = true;
    this.stop.abort();
    clearTimeout(this.timer);
    this.feed.breakOff();
    this.finish.reject(brokenOff());
    this.wake?.();
  }

  /** As `abandon`, when somebody else goes on already: what has not been stored yet must not be stored any more. */
  lose(): void {
    this.abandon();
    this.feed.forget();
  }

  /** The lease had run out, and this process has it again: the turn goes on as it was. */
  adopt(epoch: number): void {
    this.spec.epoch = epoch;
    this.feed.epoch = epoch;
  }

  /** Under which lease this process holds the turn. */
  get held(): { key: string; epoch: number } {
    return { key: this.spec.key, epoch: this.spec.epoch };
  }

  /** Its end, or its question, is being stored: the turn may be free already, and only that answer tells by whom. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  private isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  private get workedMs(): number {
    return this.state.workedMs + Date.now() - this.startedAt;
  }

  private interrupt(update: Update): void {
    if (this.lost || this.state.phase === 'closing' || this.state.phase === 'closed') return;
    this.stop.abort();
    this.effects.length = 0;
    this.apply(update);
    this.wake?.();
  }

  private apply(update: Update): void {
    const step = advance(this.spec.facts, this.state, update);
    this.state = step.state;
    this.feed.emit(step.frames);
    this.effects.push(...step.effects);
  }

  private async drive(): Promise<void> {
    try {
      while (!this.lost) {
        const effect = this.effects.shift();
        if (effect) {
          if (effect.type === 'save' && this.effects.some(({ type }) => type === 'save')) continue;
          await (effect.type === 'close' ? this.close() : this.unlessStopped(this.perform(effect)));
        } else if (this.tools.size > 0) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        } else return;
      }
    } catch (error) {
      this.fail(error);
      if (!this.lost) await this.drive();
    }
  }

  /** An error that nobody expected ends the turn, never the process. */
  private fail(error: unknown): void {
    if (this.lost) return;
    if (error instanceof AppError && error.code === 'CONFLICT') {
      this.services.log.warn({ turn: this.spec.key }, 'the turn is held elsewhere');
      this.lose();
      return;
    }
    this.services.log.error({ err: error, turn: this.spec.key }, 'a turn failed');
    if (this.state.phase === 'closing') {
      this.abandon();
      return;
    }
    const known = error instanceof AppError ? error : null;
    const update: Update = {
      type: 'failed',
      code: known && known.code !== 'SERVER_ERROR' ? 'RUNTIME_UNAVAILABLE' : 'SERVER_ERROR',
      message: known?.message ?? 'Something went wrong on our side.',
      retryable: true,
    };
    this.interrupt(update);
  }

  private async perform(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'retrieve':
        return this.retrieve();
      case 'call-model':
        return this.callModel();
      case 'save':
        return this.save();
      case 'run-tools':
        this.runTools(effect.callIds);
        return;
      case 'ask':
        return this.ask(effect.callId);
      case 'close':
        return this.close();
    }
  }

  /** What is under way is left behind when the turn is stopped: a cancel waits for nobody. */
  private unlessStopped(work: Promise<void>): Promise<void> {
    const { signal } = this.stop;
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
    const items = await this.services.knowledge.retrieve(this.spec, this.stop.signal);
    if (!this.stop.signal.aborted) this.apply({ type: 'retrieved', items });
  }

  private async callModel(): Promise<void> {
    const { signal } = this.stop;
    const messageId = newId();
    const said = this.feed.seq;
    this.apply({ type: 'model-called', messageId });
    try {
      await this.services.compactor.beforeModelCall(this.spec, this.state);
      if (this.isStopped()) return;
      const request = this.services.requests.complete(this.spec, this.state, messageId);
      const answer = await this.services.models.call(this.spec.ctx, request, signal, (text) => {
        if (this.isStopped()) return;
        this.apply({ type: 'delta', text });
        this.feed.delta(text, messageId);
      });
      await failpoint('agent.model-answered');
      if (this.isStopped()) return;
      const used = new Set(this.state.executions.map((execution) => execution.tool_call_id));
      const toolCalls = this.spec.tools.read(answer.toolCalls, used);
      const verdict =
        toolCalls.length === 0 && this.spec.facts.structured
          ? this.services.requests.verdict(this.spec, this.state.open?.text ?? '')
          : undefined;
      this.apply({
        type: 'model-finished',
        toolCalls,
        usage: {
          promptTokens: answer.usage.promptTokens,
          completionTokens: answer.usage.completionTokens,
          cost: answer.usage.cost,
        },
        finishReason: answer.finishReason,
        model: answer.model,
        ...(verdict ? { verdict } : {}),
      });
    } catch (error) {
      if (this.isStopped()) return;
      if (isLineBroken(error) && this.breaks < BREAKS_AT_MOST) return this.callAgain(said, signal);
      const { code, message } = this.services.requests.failureOf(error, this.spec);
      this.apply({ type: 'failed', code, message, retryable: isRetryable(code) });
    }
  }

  /** The relay or the way to it was lost, not the model: the step is said anew, as after a takeover. */
  private async callAgain(said: number, signal: AbortSignal): Promise<void> {
    this.breaks += 1;
    await sleep(backoffMs(this.breaks, AFTER_BREAK), signal);
    if (this.isStopped()) return;
    if (this.feed.seq > said) this.apply({ type: 'taken-over', fromSeq: said + 1, at: Date.now() });
    else this.effects.push({ type: 'call-model' });
  }

  /** Durable before anything that must not happen twice. A stale epoch ends the work here. */
  private async save(extraFrames = 0): Promise<void> {
    const state = { state: { ...this.state, workedMs: this.workedMs }, seq: this.feed.seq + extraFrames };
    const saved = await this.services.session.saveCheckpoint(this.spec.ctx, { ...this.held, state }, this.stop.signal);
    if (saved?.cancelRequested) this.cancel();
  }

  private runTools(callIds: string[]): void {
    const { facts } = this.spec;
    for (const call of this.state.calls.filter(({ id, state }) => callIds.includes(id) && state !== 'done')) {
      const settled = this.services.rules.beforeRun(facts, call);
      if (settled) this.settle(call.id, settled);
    }
    this.apply({ type: 'tools-started', at: Date.now() });
    for (const call of this.state.calls) {
      if (call.state === 'done' || call.name === 'ask_user' || !callIds.includes(call.id) || this.tools.has(call.id))
        continue;
      this.tools.add(call.id);
      void this.spec.tools.run(call, this.toolRun(call.id, call.name, call.arguments)).then((outcome) => {
        this.tools.delete(call.id);
        if (!this.stop.signal.aborted) this.settle(call.id, outcome);
        this.wake?.();
      });
    }
    // With nothing to wait for, the next step is due at once.
    if (this.tools.size === 0 && !this.effects.some(({ type }) => type === 'ask' || type === 'call-model')) {
      const question = this.state.calls.find(({ state }) => state !== 'done');
      if (question) this.effects.push({ type: 'ask', callId: question.id });
    }
  }

  private settle(callId: string, outcome: ToolOutcome): void {
    this.apply({ type: 'tool-finished', callId, outcome, at: Date.now() });
  }

  private toolRun(callId: string, name: string, args: unknown): ToolRun {
    const { ctx, key, epoch, facts } = this.spec;
    return {
      ctx,
      callId,
      agentId: facts.agentId,
      turnKey: key,
      turnId: facts.turnId,
      epoch,
      sessionId: facts.sessionId,
      signal: this.stop.signal,
      announceLocal: (expiresAt) => {
        if (!this.announced.has(callId))
          this.feed.emit([
            product('local-tool-call', { call_id: callId, name, arguments: args, expires_at: expiresAt }),
          ]);
      },
    };
  }

  /** Puts the question before the user and lets go of the turn: whoever gets the answer goes on with it. */
  private async ask(callId: string): Promise<void> {
    const call = this.state.calls.find(({ id }) => id === callId);
    if (!call) return;
    const form = this.services.rules.formOf(call);
    if ('outcome' in form) {
      this.settle(callId, form.outcome);
      return;
    }
    const interactionId = newId();
    const waiting: TurnState = { ...this.state, phase: 'waiting', workedMs: this.workedMs };
    this.leaving = true;
    const interaction = await this.services.session.pause(
      this.spec.ctx,
      {
        ...this.held,
        state: { state: { ...waiting, interaction: { id: interactionId } }, seq: this.feed.seq + PAUSE_FRAMES },
        interactionId,
        form: form.form,
        result: turnResult(this.spec.facts, waiting, this.workedMs),
      },
      this.stop.signal,
    );
    this.leaving = false;
    if (this.lost || this.stop.signal.aborted || interaction === null) return;
    this.apply({ type: 'asked', interaction: { ...interaction } });
    this.over(turnResult(this.spec.facts, this.state, this.workedMs));
  }

  /** Stores the turn; only then is it said to be complete. */
  private async close(): Promise<void> {
    const { ending } = this.state;
    if (!ending) {
      this.state = endTurn(this.state, {
        status: 'FAILED',
        finishReason: 'error',
        error: { code: 'SERVER_ERROR', message: 'The turn failed.', retryable: true },
      }).state;
      return this.close();
    }
    clearTimeout(this.timer);
    this.leaving = true;
    const result = turnResult(this.spec.facts, this.state, this.workedMs);
    await failpoint('agent.closing');
    const closed = await this.services.session.close(
      this.spec.ctx,
      () => ({ ...this.held, ...closedTurn(this.spec.facts, this.state, ending, result) }),
      () => {
        this.feed.emit([product('turn-persist-pending', { turn_id: this.spec.facts.turnId })]);
      },
    );
    await failpoint('agent.closed');
    if (this.lost) return;
    this.state = { ...this.state, phase: 'closed' };
    this.feed.emit(closingFrames(this.spec.facts, result, closed.context));
    this.over(result);
  }

  private over(result: TurnResult): void {
    clearTimeout(this.timer);
    this.feed.end();
    this.finish.resolve(result);
    this.services.over(this.spec.key);
  }
}
