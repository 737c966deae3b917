import type { JsonSchema } from '@switchyard/contracts';
import type { Operation } from './list-operations';

const text = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });
const number = (description: string): JsonSchema => ({ description, schema: { type: 'integer', minimum: 0 } });

const HEADERS: Record<string, JsonSchema> = {
  'Idempotency-Replayed': {
    description: '`true` if this is the stored answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'RateLimit-Limit': number('Requests allowed per minute.'),
  'RateLimit-Remaining': number('Requests left in this minute.'),
  'RateLimit-Reset': number('Seconds until the limit is reset.'),
  'Retry-After': number('Seconds to wait before the request is sent again.'),
  'X-Request-Id': text('Id of the request. Name it when you report a problem.'),
  'X-Service-Stream-Protocol': text('Version of the stream: `stream-v3`.'),
  'X-Turn-Id': text('Id of the turn. Use it to attach to the stream again.'),
};

const nameOf = (header: string): string => header.replaceAll('-', '');

/** Headers of responses, as the components of the document. */
export const headerComponents = (): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(HEADERS).map(([header, value]) => [nameOf(header), value]));

const references = (headers: readonly string[]): JsonSchema =>
  Object.fromEntries(headers.map((header) => [header, { $ref: `#/components/headers/${nameOf(header)}` }]));

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** With one of these statuses a later retry may succeed. */
const RETRYABLE = [409, 429, 503];

export const errorHeaderReferences = (status: number): JsonSchema =>
  references([...RATE_LIMIT, ...(RETRYABLE.includes(status) ? ['Retry-After'] : []), 'X-Request-Id']);

export function answerHeaderReferences({ endpoint }: Operation): JsonSchema {
  const isTurn = endpoint.sse === true;
  return references([
    ...(endpoint.idempotent ? ['Idempotency-Replayed'] : []),
    ...(endpoint.unlimited ? [] : RATE_LIMIT),
    'X-Request-Id',
    ...(isTurn ? ['X-Service-Stream-Protocol', 'X-Turn-Id'] : []),
  ]);
}
