import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import { AppError, toAppError } from '@switchyard/kernel';
import { Logger } from '@switchyard/service';
import type { AccessDenialAudit } from '../auth/access-denial-audit';
import type { PreAuthRateLimit } from '../auth/pre-auth-rate-limit';
import type { EndpointOptions } from '../routing/endpoint.decorator';
import { bodyAt, errorHeaders, isRelay, shouldRetryHeader } from '../http/error-body';
import { isAuthority } from '../http/host-header';
import { brokenOff, isBrokenOff, letGoOfBody } from '../http/body/body-reader';
import { respondBeforeBody, isEarly } from '../http/respond-before-body';
import type { ApiReply, ApiRequest } from '../http/api-request';
import { traceOf } from '../http/request-span';
import { RouteTable } from '../http/route-table';

/** Properties of Fastify's errors; Nest wraps some of them. */
const statusOf = (thrown: unknown): number =>
  thrown instanceof HttpException
    ? thrown.getStatus()
    : ((thrown as { statusCode?: number } | null)?.statusCode ?? 500);

/** Tells an MCP client where it learns what to bring, where the client has named a host that can stand in a URL. */
function mcpChallenge({ protocol, headers: { host = '' } }: ApiRequest): string {
  if (!isAuthority(host)) return 'Bearer';
  const scheme = protocol === 'https' ? 'https' : 'http';
  return `Bearer resource_metadata="${scheme}://${host}/.well-known/oauth-protected-resource"`;
}

/** Whether the authorizer has counted it already, or it is not counted. */
function isCounted(request: ApiRequest, reply: ApiReply): boolean {
  const { endpoint } = request.routeOptions.config as { endpoint?: EndpointOptions };
  return reply.sent || reply.raw.headersSent || reply.hasHeader('ratelimit-limit') || endpoint?.unlimited === true;
}

/** Whether it is of the body: its client has broken it off, or was too slow. */
const isOfBody = (thrown: Error, { errored, destroyed, complete }: ApiRequest['raw']): boolean =>
  thrown === errored ||
  (destroyed && !complete && (thrown as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE');

/** Every failure leaves here, as the flat body. Internal errors are logged here, once. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
    private readonly accessDenialAudit: AccessDenialAudit,
    private readonly early: PreAuthRateLimit,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.send(thrown, http.getRequest<ApiRequest>(), http.getResponse<ApiReply>());
  }

  send(thrown: unknown, request: ApiRequest, reply: ApiReply): void {
    const error = this.translate(thrown, request);
    this.accessDenialAudit.note(request.ctx, request.method, request.url, error);
    if (isBrokenOff(error)) {
      const route = request.routeOptions.url;
      this.logger.debug({ requestId: request.id, route }, 'a client broke off its body');
    }
    if (error.status >= 500) {
      const level = error.code === 'SERVER_ERROR' ? 'error' : 'warn';
      this.logger[level](
        {
          err: error.cause ?? error,
          code: error.code,
          requestId: request.id,
          traceId: traceOf(request),
          route: request.routeOptions.url,
          spaceId: request.ctx?.spaceId,
        },
        'a request failed',
      );
    }
    if (isCounted(request, reply)) this.answer(error, request, reply);
    else
      this.early
        .count(error, request, reply)
        .then((counted) => {
          this.answer(counted, request, reply);
        })
        .catch((unexpected: unknown) => {
          // This promise is not awaited: a rejection would end the process and every request in it.
          this.logger.error({ err: unexpected, requestId: request.id }, 'failed to send an error response');
          reply.raw.destroy();
        });
  }

  private answer(error: AppError, request: ApiRequest, reply: ApiReply): void {
    letGoOfBody(request);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const target = request.originalUrl;
    if (error.status === 401)
      void reply.header('www-authenticate', /^\/mcp(?:\?|$)/.test(request.url) ? mcpChallenge(request) : 'Bearer');
    const body = JSON.stringify(bodyAt(target, error));
    void reply
      .status(error.status)
      .headers({ ...errorHeaders(error), ...(isRelay(target) ? shouldRetryHeader(error) : {}) })
      .type('application/json; charset=utf-8');
    if (isEarly(request)) respondBeforeBody(request, reply, body);
    else void reply.send(body);
  }

  private translate(thrown: unknown, request: ApiRequest): AppError {
    if (thrown instanceof AppError) return thrown;
    // Routes that read the body as a stream throw its own error, or one that says that it ended early.
    if (thrown instanceof Error && isOfBody(thrown, request.raw)) return brokenOff(thrown);
    const status = statusOf(thrown);
    if (thrown instanceof HttpException && status === 404) return this.routes.refusal(request);
    if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The body is too large.', { cause: thrown });
    if (status === 415)
      return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body with its Content-Type.', { cause: thrown });
    if (status >= 400 && status < 500)
      return new AppError('VALIDATION_ERROR', 'The request is not well-formed.', { cause: thrown });
    return toAppError(thrown);
  }
}
