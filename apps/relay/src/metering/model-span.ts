import { type Span, isTracing, startSpan } from '@switchyard/kernel';
import type { Ctx, CompletionUsage } from '@switchyard/contracts';
import type { Candidate } from '../domain/catalogue';

export type ModelOperation = 'chat' | 'embeddings' | 'generate_content';

/**
 * One model call in the words of OpenTelemetry's conventions for generative AI. Prompts and answers are captured
 * elsewhere, if at all.
 */
export const modelSpan = (
  ctx: Ctx,
  operation: ModelOperation,
  request: { model: string; maxTokens?: number; sessionId?: string },
): Span | null =>
  isTracing()
    ? startSpan(`${operation} ${request.model}`, {
        kind: 'client',
        parent: ctx.traceparent,
        attributes: {
          'gen_ai.operation.name': operation,
          'gen_ai.request.model': request.model,
          'gen_ai.request.max_tokens': request.maxTokens,
          'gen_ai.conversation.id': request.sessionId,
          'switchyard.space.id': ctx.spaceId ?? undefined,
        },
      })
    : null;

export function noteAnswer(
  span: Span,
  answered: { candidate: Candidate | null; usage: CompletionUsage; outcome: string },
): void {
  const { candidate, usage, outcome } = answered;
  span.set({
    'gen_ai.provider.name': candidate?.upstream.name,
    'gen_ai.response.model': candidate?.upstreamModel,
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'switchyard.model.outcome': outcome,
    'switchyard.model.cost': usage.cost,
  });
  if (outcome === 'failed') span.fail(new Error(outcome));
}
