import type { JsonSchema } from '@switchyard/contracts';
import { AppError, ERROR_STATUS, type ErrorCode } from '@switchyard/kernel';
import { errorBody, relayErrorBody } from '../http/error-body';
import type { Operation } from './list-operations';
import { refusalsOf } from './operation-errors';
import { errorHeaderReferences } from './response-headers';

/** Statuses of an upstream that the relay passes on; its other failures are 503. */
const UPSTREAM_STATUSES = [400, 404, 409, 422, 429];
const UPSTREAM = 'as the upstream answered';

const MEANINGS: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'A field or parameter is invalid; `details` names it.',
  REQUEST_TOO_LARGE: 'The request has more tokens than a request may have.',
  EVENT_PAYLOAD_INVALID: 'The payload does not match the schema of the event.',
  UNAUTHORIZED: 'The credential is missing, invalid or expired.',
  INSUFFICIENT_TOKENS: 'The token balance of the Space is exhausted.',
  BELOW_MINIMUM_BALANCE: 'The balance, less what running calls have reserved, is below the minimum.',
  FORBIDDEN: 'The credential lacks the role, the scope or the access.',
  SECRET_NOT_ALLOWED: 'The secret is not allowed for this host.',
  SPACE_SUSPENDED: 'An operator has suspended the Space.',
  NOT_FOUND: 'It does not exist, or belongs to others.',
  EVENT_NOT_REGISTERED: 'The application declares no such event.',
  APPLICATION_NOT_INSTALLED: 'The application is not installed in this Space.',
  METHOD_NOT_ALLOWED: 'The path exists, but not for this method.',
  CONFLICT: 'The current state does not allow the request.',
  TURN_ALREADY_ACTIVE: 'The session has an active turn.',
  INTERACTION_PENDING: 'A question must be answered first.',
  INTERACTION_NOT_PENDING: 'The question is no longer open.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used with another body.',
  REQUEST_IN_PROGRESS: 'A request with this idempotency key is still running.',
  JOB_FINISHED: 'The job has finished.',
  SECRET_MISSING: 'A secret that the request uses does not exist.',
  SECRET_UNREADABLE: 'A stored secret or header cannot be decrypted; save it again.',
  STREAM_EXPIRED: 'The frames of the turn are no longer stored.',
  PRECONDITION_FAILED: 'The version in `If-Match` is not the current one.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The content type is not supported.',
  STREAM_PROTOCOL_REQUIRED: 'Send the header `X-Service-Stream-Protocol: stream-v3`.',
  DAILY_LIMIT_EXCEEDED: 'The daily token limit is reached.',
  MONTHLY_LIMIT_EXCEEDED: 'The monthly token limit of the API key is reached.',
  RATE_LIMITED: 'Too many requests; wait for `Retry-After` seconds.',
  SERVER_ERROR: 'An internal error.',
  SERVICE_UNAVAILABLE: 'A service is unavailable; retry.',
  RUNTIME_UNAVAILABLE: 'The model is unavailable; retry.',
  COMPACTION_UNAVAILABLE: 'The context cannot be compacted at the moment.',
  TIMEOUT: 'The time limit of the request was reached.',
};

/** `NOT_FOUND` and `CONFLICT` become `NotFoundOrConflict`. */
const nameOf = (codes: readonly ErrorCode[]): string =>
  codes
    .map((code) => code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');

/** Of fields that are invalid: `details` names them. */
const INVALID_FIELD = { path: 'name', message: 'must not be empty' };

/** One for each code that the platform itself gives. */
function examplesOf({ codes, schema }: { codes: readonly ErrorCode[]; schema: string }): JsonSchema {
  if (codes.length === 0) return {};
  const bodyOf = schema === 'Error' ? errorBody : relayErrorBody;
  const valueOf = (code: ErrorCode): object =>
    bodyOf(new AppError(code, MEANINGS[code], code === 'VALIDATION_ERROR' ? { details: [INVALID_FIELD] } : {}));
  return { examples: Object.fromEntries(codes.map((code) => [code, { value: valueOf(code) }])) };
}

/** Error responses, each once for all operations that have the same codes at the same status. */
export class SharedResponses {
  readonly components: Record<string, JsonSchema> = {};

  of(operation: Operation): Record<string, JsonSchema> {
    const codes = [...refusalsOf(operation)].sort();
    const { relayed, openai } = operation.endpoint;
    const upstream = relayed ? UPSTREAM_STATUSES : [];
    const statuses = new Set([...codes.map((code) => ERROR_STATUS[code]), ...upstream]);
    return Object.fromEntries(
      [...statuses].map((status) => {
        const own = codes.filter((code) => ERROR_STATUS[code] === status);
        const isUpstream = upstream.includes(status);
        const schema = relayed || openai ? 'RelayError' : 'Error';
        const name = [
          nameOf(own),
          ...(isUpstream ? ['Upstream', String(status)] : []),
          ...(schema === 'Error' ? [] : ['ForOpenAi']),
        ];
        return [String(status), this.share(name.join(''), { status, codes: own, isUpstream, schema })];
      }),
    );
  }

  private share(
    name: string,
    parts: { status: number; codes: ErrorCode[]; isUpstream: boolean; schema: string },
  ): JsonSchema {
    const lines = parts.codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`);
    this.components[name] ??= {
      description: [...lines, ...(parts.isUpstream ? [`Or ${UPSTREAM}.`] : [])].join('\n\n'),
      headers: errorHeaderReferences(parts.status),
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${parts.schema}` }, ...examplesOf(parts) },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}
