import { Injectable } from '@nestjs/common';
import type { CompletionUsage, Ctx } from '@switchyard/contracts';
import type { Span } from '@switchyard/kernel';
import { ContentCapture, Logger, Metrics, SpaceUseCounter } from '@switchyard/service';
import type { Candidate } from '../domain/catalogue';
import { type TracedOutput, answerOf, messageOf } from '../domain/traced-messages';
import { type ModelOperation, modelSpan, noteAnswer } from './model-span';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];

export interface WatchedCall {
  operation: ModelOperation;
  model: string;
  maxTokens?: number;
  sessionId?: string;
  /** The input, in OpenAI's format or ours, for traces that may contain content. */
  messages?: () => readonly unknown[];
}

export interface ModelAnswered {
  candidate: Candidate | null;
  usage: CompletionUsage;
  outcome: string;
  output?: () => TracedOutput;
}

/** Cost and duration of model calls, for metrics and traces. */
@Injectable()
export class ModelCallMetrics {
  private readonly tokens;
  private readonly seconds;
  private readonly firstAnswer;

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
    private readonly capture: ContentCapture,
    private readonly use: SpaceUseCounter,
  ) {
    this.tokens = metrics.counter('switchyard_relay_tokens_total', 'Tokens of settled model calls.', ['model', 'type']);
    this.seconds = metrics.histogram(
      'switchyard_relay_call_seconds',
      'Time from admission to settlement of a model call.',
      ['operation', 'model', 'outcome'],
      SECONDS,
    );
    this.firstAnswer = metrics.histogram(
      'switchyard_relay_first_answer_seconds',
      "Time from the admission of a model call until the first byte of the provider's response.",
      ['operation', 'model'],
      SECONDS,
    );
  }

  begin(ctx: Ctx, call: WatchedCall): ModelCallWatch {
    return new ModelCallWatch(this, ctx, call, modelSpan(ctx, call.operation, call));
  }

  /** Ends the span, with what was said where it may hold that. */
  endSpan(span: Span, ctx: Ctx, { messages }: WatchedCall, traced: (() => TracedOutput) | undefined): void {
    if (messages === undefined) {
      span.end();
      return;
    }
    this.capture.end(span, ctx, async (writer) => {
      const input = await writer.messages(messages(), messageOf);
      const output = traced === undefined ? undefined : await writer.messages([traced()], answerOf);
      return { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output };
    });
  }

  noteImplausible({ upstream, model }: Candidate, usage: string): void {
    this.logger.warn(
      { upstream: upstream.name, model: model.id, usage },
      'an upstream reported implausible usage; charging an estimate',
    );
  }

  answered({ operation, model }: WatchedCall, startedAt: number): void {
    this.firstAnswer.observe({ operation, model }, (performance.now() - startedAt) / 1000);
  }

  /** For those who look for the largest Spaces. */
  count({ spaceId }: Ctx, { promptTokens, completionTokens }: CompletionUsage): void {
    if (spaceId !== null) this.use.add('tokens', spaceId, promptTokens + completionTokens);
  }

  ended({ operation, model }: WatchedCall, outcome: string, usage: CompletionUsage, startedAt: number): void {
    this.tokens.inc({ model, type: 'input' }, usage.promptTokens);
    this.tokens.inc({ model, type: 'output' }, usage.completionTokens);
    this.seconds.observe({ operation, model, outcome }, (performance.now() - startedAt) / 1000);
  }
}

/** One of them. */
export class ModelCallWatch {
  private readonly startedAt = performance.now();

  constructor(
    private readonly calls: ModelCallMetrics,
    private readonly ctx: Ctx,
    private readonly call: WatchedCall,
    private readonly span: Span | null,
  ) {}

  get traceparent(): string | undefined {
    return this.span?.traceparent;
  }

  answered(): void {
    this.span?.event('answered');
    this.calls.answered(this.call, this.startedAt);
  }

  /** The upstream reported an impossible token count. */
  noteImplausible(candidate: Candidate, usage: string): void {
    this.span?.event('usage doubted');
    this.calls.noteImplausible(candidate, usage);
  }

  settled(answer: ModelAnswered): void {
    this.calls.ended(this.call, answer.outcome, answer.usage, this.startedAt);
    this.calls.count(this.ctx, answer.usage);
    if (this.span === null) return;
    noteAnswer(this.span, answer);
    this.calls.endSpan(this.span, this.ctx, this.call, answer.output);
  }

  released(): void {
    this.span?.fail(new Error('released'));
    this.span?.end();
  }
}
