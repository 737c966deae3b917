import { WebStandardStreamableHTTPServerTransport, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Ctx } from '@switchyard/contracts';
import { ElicitationTransport } from './elicitation-transport';
import type { ClientMemory } from './sealed-client-capabilities';
import type { PendingElicitations } from './pending-elicitations';

const isSameCaller = (a: Ctx, b: Ctx): boolean =>
  a.spaceId === b.spaceId && a.userId === b.userId && a.credentialId === b.credentialId;

/**
 * Serves one request of the era of `initialize` to a client that may be asked something in return. It lives as long as
 * the request: what is asked goes out on its stream, and the answer comes in by a request of its own.
 */
export async function serveWithElicitation(
  request: Request,
  body: unknown,
  exchange: { server: McpServer; memory: ClientMemory; ctx: Ctx; pending: PendingElicitations },
): Promise<Response> {
  const { server, memory, ctx, pending } = exchange;
  const wire = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  const transport = new ElicitationTransport(wire, () => release());
  const release = pending.hold(transport.exchangeId, (message, answering) => {
    if (isSameCaller(ctx, answering)) transport.deliver(parseJSONRPCMessage(message));
  });
  const end = (): void => {
    release();
    server.close().catch(() => undefined);
  };
  request.signal.addEventListener('abort', end, { once: true });
  try {
    await server.connect(transport);
    await transport.introduce(memory);
    const response = await wire.handleRequest(request, { parsedBody: body });
    if (!response.body) end();
    return response;
  } catch (error) {
    end();
    throw error;
  }
}
