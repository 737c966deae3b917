import { isTracing, startSpan, within } from '@switchyard/kernel';
import type { ContentCapture } from '@switchyard/service';
import type { ToolCall, ToolOutcome } from '../domain/turn-state';
import type { ToolRun } from '../toolkit/tool';

/** One run of a tool, in the words of OpenTelemetry's conventions for generative AI. Arguments and results are captured where they may be. */
export async function spannedTool(
  capture: ContentCapture,
  call: ToolCall,
  run: ToolRun,
  work: (run: ToolRun) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  if (!isTracing()) return work(run);
  const span = startSpan(`execute_tool ${call.name}`, {
    kind: 'internal',
    parent: run.ctx.traceparent,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.conversation.id': run.sessionId ?? undefined,
      'gen_ai.tool.type': call.source === 'local' ? 'extension' : 'function',
    },
  });
  const ctx = span === null ? run.ctx : { ...run.ctx, traceparent: span.traceparent };
  const outcome = await within(span, () => work({ ...run, ctx }));
  if (outcome.status === 'failed') span?.fail(new Error(outcome.code));
  if (span !== null)
    capture.end(span, run.ctx, async (writer) => {
      const args = await writer.value(call.arguments);
      const result = outcome.status === 'succeeded' ? await writer.value(outcome.output) : undefined;
      return { 'gen_ai.tool.call.arguments': args, 'gen_ai.tool.call.result': result };
    });
  return outcome;
}
