import { Injectable } from '@nestjs/common';
import { classifyInboundRequest, createMcpHandler, isJSONRPCResponse } from '@modelcontextprotocol/server';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { Ctx } from '@switchyard/contracts';
import { JSON_LIMITS, AppError, isPlainObject } from '@switchyard/kernel';
import { Logger, PayerCache } from '@switchyard/service';
import { ActiveResponses } from '../../auth/active-responses';
import { UnreadResponses } from '../../limits/unread-responses';
import { letGoOfBody } from '../../http/body/body-reader';
import type { ApiReply, ApiRequest } from '../../http/api-request';
import { serveWithElicitation } from './elicitation-request';
import { exchangeOf } from './elicitation-transport';
import { type ClientMemory, recallClient, rememberClient } from './sealed-client-capabilities';
import { PendingElicitations } from './pending-elicitations';
import { McpServerFactory } from './mcp-server-factory';
import { McpTurns } from './mcp-turns';
import { emptied, isRequest, isToolCall, misshapenIn, unsafeIn } from './message-validation';
import { refusalOf } from './protocol-error';
import type { ToolsNeeded } from './register-tools';
import { isList, type ListRequest, listRequestOf, ToolListCache } from './tool-list-cache';

const SESSION_ID = 'mcp-session-id';
const CUT_AFTER_MS = 400;

const NO_BATCH = new AppError(
  'VALIDATION_ERROR',
  'A batch of messages is not accepted. Send each in a request of its own.',
);

const headerOf = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const isCall = (body: unknown): body is { method: 'tools/call' } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

const toolsNeeded = (body: unknown): ToolsNeeded =>
  isToolCall(body) ? { named: String(body.params?.['name']) } : 'none';

/**
 * The part of a message that the SDK's Node adapter sees: enough to report which one failed. The adapter would
 * serialize the whole message again for a handler that parses it; ours gets the parsed message.
 */
const headOf = (body: unknown): unknown =>
  isPlainObject(body) ? { jsonrpc: '2.0', id: body['id'], method: body['method'], toJSON: () => undefined } : body;

const isIntroduction = (body: unknown): body is { params?: unknown } =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize';

interface Answering {
  ctx: Ctx;
  refusal: AppError | null;
  onerror: (error: Error) => void;
  list: ListRequest | null;
}

/**
 * Every request of either era is served by a server of its own, made for its caller. The SDK does that; what it cannot
 * do so is to ask a client of the era of `initialize` something, because it has forgotten by then whether that client
 * can be asked. Such a client gets a session id that says it.
 */
@Injectable()
export class McpHandler {
  private readonly turns = new McpTurns();
  private readonly tools = new ToolListCache();

  constructor(
    private readonly servers: McpServerFactory,
    private readonly pending: PendingElicitations,
    private readonly streams: ActiveResponses,
    private readonly unread: UnreadResponses,
    private readonly payerCache: PayerCache,
    private readonly logger: Logger,
  ) {}

  /**
   * A message that must not go further in is answered all the same: a tool's refusal is a result that says so, of all
   * else it is an error.
   */
  async serve(ctx: Ctx, request: ApiRequest, reply: ApiReply, body: unknown): Promise<void> {
    // Each message is a request to the limits of its caller. No revision since 2025-06-18 knows of several in one.
    if (Array.isArray(body)) return void reply.status(400).send(refusalOf(null, NO_BATCH));
    await this.turns.take(ctx.spaceId === null ? '' : this.payerCache.of(ctx.spaceId));
    const { depth } = JSON_LIMITS;
    const unsafe = unsafeIn(body, depth);
    const call = unsafe ? emptied(body, depth) : null;
    if (unsafe && call) return this.pass(ctx, request, reply, call, unsafe);
    const fault = unsafe ?? misshapenIn(body);
    if (!fault) return this.pass(ctx, request, reply, body, null);
    const id = isRequest(body) ? body.id : null;
    void reply.status(id === null ? 400 : 200).send(refusalOf(id, fault));
  }

  /** Refuses before anything is written; then answers by itself. */
  private async pass(
    ctx: Ctx,
    request: ApiRequest,
    reply: ApiReply,
    body: unknown,
    refusal: AppError | null,
  ): Promise<void> {
    const memory = this.memoryOf(ctx, request, body);
    if (memory && isJSONRPCResponse(body)) {
      const exchangeId = exchangeOf(body);
      if (exchangeId !== null) this.pending.deliver(exchangeId, body, ctx);
      return void reply.status(202).send();
    }
    const list = listRequestOf(request, body);
    const ready = list && this.tools.ready(list);
    if (ready) return void reply.status(200).headers(ready.headers).send(ready.body);
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    if (isIntroduction(body)) {
      const sessionId = rememberClient(this.servers.secret, ctx, body.params);
      if (sessionId !== null) reply.raw.setHeader(SESSION_ID, sessionId);
    }
    reply.hijack();
    const onerror = (error: Error): void =>
      this.logger.debug({ err: error, requestId: ctx.requestId }, 'rejected an MCP request');
    const fetch =
      memory && isCall(body)
        ? (request: Request) => this.serveWithElicitation(request, body, { ctx, memory, refusal })
        : (request: Request) => this.answer(request, body, { ctx, refusal, onerror, list });
    const leave = this.streams.follow(ctx, () => {
      // A running tool answers with the refusal first. After that, open requests such as questions are cut.
      setTimeout(() => reply.raw.destroy(), CUT_AFTER_MS).unref();
    });
    reply.raw.once('close', leave);
    try {
      await toNodeHandler({ fetch }, { onerror })(request.raw, reply.raw, headOf(body));
    } finally {
      letGoOfBody(request);
      this.unread.measure(request.raw.socket);
    }
  }

  private async answer(request: Request, body: unknown, { ctx, refusal, onerror, list }: Answering): Promise<Response> {
    let listed: McpRequestContext['era'] | undefined;
    const handler = createMcpHandler(
      ({ era }) => {
        if (isList(body)) listed = era;
        const tools = listed ? this.tools.needed(listed) : toolsNeeded(body);
        return this.servers.make(ctx, { tools, client: null, refusal });
      },
      { onerror },
    );
    const response = await handler.fetch(request, body === undefined ? undefined : { parsedBody: body });
    return listed ? this.tools.complete(listed, response, list) : response;
  }

  private serveWithElicitation(
    request: Request,
    body: unknown,
    { ctx, memory, refusal }: { ctx: Ctx; memory: ClientMemory; refusal: AppError | null },
  ): Promise<Response> {
    const server = this.servers.make(ctx, { tools: toolsNeeded(body), client: memory, refusal });
    return serveWithElicitation(request, body, { server, memory, ctx, pending: this.pending });
  }

  /** The era of 2026-07-28 knows no sessions, and a session id there means nothing. */
  private memoryOf(ctx: Ctx, request: ApiRequest, body: unknown): ClientMemory | null {
    const sessionId = headerOf(request, SESSION_ID);
    if (sessionId === undefined) return null;
    const { kind } = classifyInboundRequest({
      httpMethod: request.method,
      protocolVersionHeader: headerOf(request, 'mcp-protocol-version'),
      mcpMethodHeader: headerOf(request, 'mcp-method'),
      body,
    });
    if (kind !== 'legacy') return null;
    const memory = recallClient(this.servers.secret, ctx, sessionId);
    if (!memory) throw new AppError('NOT_FOUND', 'This session is not yours, or is over. Send initialize again.');
    return memory;
  }
}
