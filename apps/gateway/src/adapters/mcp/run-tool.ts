import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { type AppError, toAppError } from '@switchyard/kernel';
import {
  type Ctx,
  type EmitEvent,
  EventBusCalls,
  type TurnResult,
  checkPayloadSize,
  checkRequest,
  lowerIds,
} from '@switchyard/contracts';
import { type ElicitationCodec, askClient, continueElicitation, whereToApprove } from './elicitation';
import { checkAnswer } from './response-size-limit';
import type { ClientMemory } from './sealed-client-capabilities';
import type { McpDeps } from './mcp-deps';
import type { Tool, ToolRun } from './tool';
import { checkToolAccess } from './tool-access';
import { takeKey } from './tool-idempotency-key';

/** The caller of a tool, and what it needs to run. */
export interface Serving {
  ctx: Ctx;
  deps: McpDeps;
  codec: ElicitationCodec;
  /** Data that an older client has sent before. */
  client: ClientMemory | null;
  /** Why the message may not reach a tool. */
  refusal: AppError | null;
}

/** A refusal is a result that says so, with the code first: a model can read it and do something else. */
function refused(error: unknown, tool: Tool, deps: McpDeps): CallToolResult {
  const shown = toAppError(error);
  if (shown.status >= 500) deps.logger.warn({ err: error, tool: tool.name }, 'an MCP tool failed');
  // A tool's result has no headers: when it is worth trying again is said in words.
  const wait = shown.retryAfterSeconds === undefined ? '' : ` Retry after ${Math.ceil(shown.retryAfterSeconds)} s.`;
  return { isError: true, content: [{ type: 'text', text: `${shown.code}: ${shown.message}${wait}` }] };
}

function progressOf(server: ServerContext): (message: string) => void {
  const token = (server.mcpReq._meta as { progressToken?: string | number } | undefined)?.progressToken;
  let progress = 0;
  return (message) => {
    if (token === undefined) return;
    progress += 1;
    server.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
      .catch(() => undefined);
  };
}

export async function runTool(
  tool: Tool,
  given: object,
  context: ServerContext,
  { client, refusal, ctx, deps, codec }: Serving,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    checkToolAccess(tool, ctx);
    if (refusal) throw refusal;
    lowerIds(tool.input, given);
    checkRequest(tool.input, given);
    if (tool.calls === EventBusCalls.emit) checkPayloadSize((given as EmitEvent).payload, deps.payloadMaxBytes);
    const { input, idempotency } = takeKey(tool, given);
    const output = await deps.streams.whileValid(ctx, async (revoked) => {
      const run: ToolRun = {
        bus: deps.bus,
        ctx: { ...ctx, answer: {}, idempotency },
        progress: progressOf(context),
        signal: AbortSignal.any([context.mcpReq.signal, revoked]),
      };
      return (tool.asks ? await continueElicitation(context, run) : null) ?? tool.run(input, run);
    });
    const question = tool.asks ? await askClient(output as TurnResult, client, context, { ctx, codec }) : null;
    if (question) return question;
    checkAnswer(output);
    const hint = tool.asks ? whereToApprove(output as TurnResult, deps.consoleUrl) : null;
    const texts = [JSON.stringify(output), ...(hint === null ? [] : [hint])];
    return { content: texts.map((text) => ({ type: 'text', text })), structuredContent: { ...output } };
  } catch (error) {
    return refused(error, tool, deps);
  }
}
