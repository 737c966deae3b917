import { type Span, isTracing, startSpan } from '@switchyard/kernel';
import type { Ctx, TurnRecord, TurnResult } from '@switchyard/contracts';
import type { AgentRecord } from '../../domain/stored-agent';

/** One stretch of a turn, from where this process began with it to its end, its question or its loss. */
export const turnSpan = (ctx: Ctx, agent: AgentRecord, turn: TurnRecord): Span | null =>
  isTracing()
    ? startSpan(`invoke_agent ${agent.name}`, {
        kind: 'internal',
        parent: ctx.traceparent,
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.id': agent.id,
          'gen_ai.agent.name': agent.name,
          'gen_ai.request.model': agent.model,
          'gen_ai.conversation.id': turn.sessionId ?? undefined,
          'switchyard.turn.id': turn.id,
          'switchyard.space.id': ctx.spaceId ?? undefined,
        },
      })
    : null;

export function endTurnSpan(span: Span | null, done: Promise<TurnResult>): void {
  if (span === null) {
    done.catch(() => undefined);
    return;
  }
  done.then(
    ({ status, finish_reason, token_usage: usage }) => {
      span.set({
        'switchyard.turn.status': status,
        'gen_ai.response.finish_reasons': finish_reason === null ? undefined : [finish_reason],
        'gen_ai.usage.input_tokens': usage.prompt_tokens,
        'gen_ai.usage.output_tokens': usage.completion_tokens,
      });
      if (status === 'FAILED') span.fail(new Error('FAILED'));
      span.end();
    },
    (error: unknown) => {
      span.fail(error);
      span.end();
    },
  );
}
