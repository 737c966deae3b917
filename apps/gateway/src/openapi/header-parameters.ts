import type { JsonSchema } from '@switchyard/contracts';

const HEADERS: Record<string, { name: string; schema: JsonSchema; description: string }> = {
  'idempotency-key': {
    name: 'Idempotency-Key',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'The same key and body get the first answer again.',
  },
  'if-match': {
    name: 'If-Match',
    schema: { type: 'string' },
    description: 'The version that is to be changed, in quotes; where it is another one by now, 412.',
  },
  'last-event-id': {
    name: 'Last-Event-ID',
    schema: { type: 'string', pattern: '^\\d+$' },
    description: 'The `seq` of the last frame that the client has; `after` in the query wins.',
  },
  'x-service-stream-protocol': {
    name: 'X-Service-Stream-Protocol',
    schema: { type: 'string', const: 'stream-v3' },
    description: 'Needed wherever the answer is a stream; without it, 426.',
  },
};

/** A request header as a parameter. One that has no description here is a mistake of ours. */
export function headerParameter(name: string): JsonSchema {
  const header = HEADERS[name];
  if (!header) throw new Error(`the header ${name} is read and not described`);
  return { name: header.name, in: 'header', required: false, schema: header.schema, description: header.description };
}
