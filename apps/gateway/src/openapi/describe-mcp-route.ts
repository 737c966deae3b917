import type { JsonSchema } from '@switchyard/contracts';

const JSON_RPC: JsonSchema = { type: 'object', description: 'A JSON-RPC message.' };

const jsonRpc = (description: string): JsonSchema => ({
  description,
  content: { 'application/json': { schema: JSON_RPC } },
});

const error = (description: string): JsonSchema => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** Routes for all methods belong to protocols that use POST. */
export function asMcp(operation: JsonSchema): JsonSchema {
  const responses = operation['responses'] as Record<string, JsonSchema>;
  return {
    ...operation,
    description:
      'The Model Context Protocol, revision 2026-07-28 and the earlier ones that begin with initialize. Requests and answers are JSON-RPC. Needs the scope `mcp:call` and the scopes of the tools.',
    requestBody: { required: true, content: { 'application/json': { schema: JSON_RPC } } },
    responses: {
      ...responses,
      '200': {
        ...responses['200'],
        description: 'The answer, alone or as the last message of a stream.',
        content: {
          'application/json': { schema: JSON_RPC },
          'text/event-stream': { schema: { type: 'string', description: 'Each event is a JSON-RPC message.' } },
        },
      },
      '202': { description: 'A notification or an answer of the client was accepted.' },
      '400': jsonRpc('The body is not a JSON-RPC message, or has no id to answer.'),
      '404': error('`NOT_FOUND`: The session has ended, or belongs to another credential.'),
      '406': jsonRpc('Accept must name both application/json and text/event-stream.'),
    },
  };
}
