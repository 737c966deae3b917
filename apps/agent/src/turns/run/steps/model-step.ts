import { type ApprovalRule, PRODUCT_EVENTS } from '@switchyard/contracts';
import { AppError, backoffMs, failpoint, newId, sleep } from '@switchyard/kernel';
import { approverOf, digestOf } from '../../../domain/approval-matching';
import type { ToolCall } from '../../../domain/turn-state';
import type { Update } from '../../../domain/turn-update';
import { sizeOfCall } from '../context-compactor';
import type { ModelAnswer } from '../model-caller';
import type { TurnDeps } from '../turn-deps';
import type { TurnExecution } from '../turn-execution';

/** With the pauses after them at least ten seconds: a relay that was killed is there again by then. */
const BREAKS_AT_MOST = 8;
const AFTER_BREAK = { baseMs: 500, maxMs: 4000 };

/**
 * Errors of the bus when a service or its connection is unavailable. Refusals and upstream failures have other codes.
 */
const isLineBroken = (error: unknown): boolean => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';

/** Asks the model once, and says what it says. */
export class ModelStep {
  /** How often the way to the model was lost under this turn. */
  private breaks = 0;

  constructor(
    private readonly turn: TurnExecution,
    private readonly services: TurnDeps,
  ) {}

  async run(): Promise<void> {
    const { turn, services } = this;
    const messageId = newId();
    const sentBefore = turn.feed.seq;
    turn.apply({ type: 'model-called', messageId });
    try {
      await services.contextCompactor.beforeModelCall(turn.spec, turn.state);
      if (turn.isStopped()) return;
      const rules = await services.approvals.rulesFor(turn.spec);
      if (turn.isStopped()) return;
      const answer = await this.ask(messageId);
      if (answer === null) return;
      await failpoint('agent.model-answered');
      if (turn.isStopped()) return;
      const update = await this.finished(answer, rules, sentBefore + 1);
      if (!turn.isStopped()) turn.apply(update);
    } catch (error) {
      if (turn.isStopped()) return;
      if (isLineBroken(error) && this.breaks < BREAKS_AT_MOST) return this.retryStep(sentBefore);
      if (error instanceof AppError && error.code === 'SPACE_SUSPENDED') this.afterSuspension(sentBefore);
      else turn.apply({ type: 'failed', ...services.requests.failureOf(error, turn.spec) });
    }
  }

  /** Null if the turn was stopped while others sent their large requests. */
  private async ask(messageId: string): Promise<ModelAnswer | null> {
    const { turn, services } = this;
    const bytes = sizeOfCall(turn.spec, turn.state);
    const sent = await services.heavy.takeIfLarge(turn.spec.ctx, bytes, turn.signal);
    try {
      if (turn.isStopped()) return null;
      const request = services.requests.complete(turn.spec, turn.state, messageId);
      const onText = (kind: 'delta' | 'reasoning', text: string): void => {
        if (turn.isStopped()) return;
        turn.appendDelta(kind, text);
        turn.feed.delta(
          kind === 'delta' ? PRODUCT_EVENTS.contentDelta : PRODUCT_EVENTS.reasoningDelta,
          text,
          messageId,
        );
      };
      return await services.models.call(turn.spec.ctx, request, turn.signal, { onText, onTaken: sent });
    } finally {
      sent?.();
    }
  }

  private async finished(answer: ModelAnswer, rules: readonly ApprovalRule[], fromSeq: number): Promise<Update> {
    const { toolCalls: requestedCalls, usage, finishReason, model } = answer;
    const { spec, state } = this.turn;
    const used = new Set(state.executions.map((execution) => execution.tool_call_id));
    const toolCalls = spec.tools.read(requestedCalls, used).map((call): ToolCall => {
      const by = call.refusal ? null : approverOf(rules, call);
      if (by === null) return call;
      const definition = spec.tools.definitionHashOf(call.name);
      const approval = { by, digest: digestOf(call.arguments), ...(definition === undefined ? {} : { definition }) };
      return { ...call, approval };
    });
    const answerCheck =
      toolCalls.length === 0 && spec.facts.structured
        ? await this.services.requests.checkAnswer(spec, state.open?.text ?? '')
        : undefined;
    const { promptTokens, completionTokens, cost } = usage;
    return {
      type: 'model-finished',
      toolCalls,
      usage: { promptTokens, completionTokens, cost },
      finishReason,
      model,
      ...(answerCheck ? { answerCheck: answerCheck.ok ? answerCheck : { ...answerCheck, fromSeq } } : {}),
    };
  }

  /** The relay or the way to it was lost, not the model: the step is said anew, as after a takeover. */
  private async retryStep(sentBefore: number): Promise<void> {
    const { turn } = this;
    this.breaks += 1;
    await sleep(backoffMs(this.breaks, AFTER_BREAK), turn.signal);
    if (!turn.isStopped()) this.restartStep(sentBefore);
  }

  /** The relay heard of it first. The turn waits before its next step, which is this one once more. */
  private afterSuspension(sentBefore: number): void {
    this.services.spaceSuspensions.noteRefused(this.turn.spec.ctx);
    this.restartStep(sentBefore);
  }

  private restartStep(sentBefore: number): void {
    const { turn } = this;
    if (turn.feed.seq > sentBefore) turn.apply({ type: 'taken-over', fromSeq: sentBefore + 1, at: Date.now() });
    else turn.effects.push({ type: 'call-model' });
  }
}
