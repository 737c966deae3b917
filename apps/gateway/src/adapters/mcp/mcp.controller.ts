import { All, Controller, Req, Res } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { AppError, JSON_LIMITS } from '@switchyard/kernel';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { GatewayConfig } from '../../gateway.config';
import { checkJsonType, isLarge, readJson, readLargeJson } from '../../http/body/request-body';
import type { ApiReply, ApiRequest } from '../../http/api-request';
import { checkMcpCaller } from './mcp-origin-check';
import { LazyMcpHandler } from './lazy-mcp-handler';

const PARSE_ERROR = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'Parse error: the body is not JSON.' },
};

/** Of the others the SDK says nothing, or knows no such request. */
const METHODS = new Set(['POST', 'GET', 'DELETE']);

@Controller('mcp')
export class McpController {
  constructor(
    private readonly handlers: LazyMcpHandler,
    private readonly config: GatewayConfig,
  ) {}

  @All()
  @Endpoint({
    operationId: 'callMcp',
    summary: 'The MCP server (Streamable HTTP)',
    access: { scope: 'mcp:call', systemKey: 'also' },
    raw: true,
    body: 'bytes',
    errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED'],
    tag: 'mcp',
  })
  async serve(@Caller() ctx: Ctx, @Req() request: ApiRequest, @Res() reply: ApiReply): Promise<void> {
    checkMcpCaller(request, this.config);
    if (!METHODS.has(request.method))
      throw new AppError('METHOD_NOT_ALLOWED', 'This path takes POST.', { headers: { allow: 'POST' } });
    checkJsonType(request.body, request.headers);
    let body: unknown;
    try {
      body = isLarge(request.body) ? await readLargeJson(request.body, JSON_LIMITS) : readJson(request.body);
    } catch {
      void reply.status(400).send(PARSE_ERROR);
      return;
    }
    const handler = await this.handlers.get();
    await handler.serve(ctx, request, reply, body);
  }
}
