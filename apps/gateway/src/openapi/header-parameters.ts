import type { JsonSchema } from '@switchyard/contracts';

const HEADERS: Record<string, { name: string; schema: JsonSchema; description: string }> = {
  'idempotency-key': {
    name: 'Idempotency-Key',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'A repeated request with the same key and body gets the first answer.',
  },
  'if-match': {
    name: 'If-Match',
    schema: { type: 'string' },
    description: 'The version to change, in quotes. If it is not the current one, the answer is 412.',
  },
  'last-event-id': {
    name: 'Last-Event-ID',
    schema: { type: 'string', pattern: '^\\d+$' },
    description: '`seq` of the last frame that the client received. `after` in the query takes precedence.',
  },
  'x-service-stream-protocol': {
    name: 'X-Service-Stream-Protocol',
    schema: { type: 'string', const: 'stream-v3' },
    description: 'Required if the answer is a stream. If it is missing, the answer is 426.',
  },
};

/** A request header as a parameter. One that has no description here is a mistake of ours. */
export function headerParameter(name: string): JsonSchema {
  const header = HEADERS[name];
  if (!header) throw new Error(`the header ${name} is read and not described`);
  return { name: header.name, in: 'header', required: false, schema: header.schema, description: header.description };
}
