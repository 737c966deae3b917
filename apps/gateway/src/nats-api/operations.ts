export type Streams = 'always' | 'unless false' | 'if true';

/** An operation of the NATS API and the route that it is carried out by. */
export interface Operation {
  /** Tokens of the subject behind the account, with `<name>` for a field of the path. */
  operation: string;
  method: 'GET' | 'POST';
  /** With `{name}` for each field, as in the OpenAPI document. */
  path: string;
  /** When the answer is a stream: for every request, or as the field `stream` of the body says. */
  streams?: Streams;
  /** Carried out without a reply address too. */
  worksWithoutReply?: true;
  /** Reads only: an answer that is too large for a message is refused. */
  reads?: true;
}

/**
 * All operations. Subjects, the reference, OpenAPI's `x-nats-operation` and the tests are made of this table; `http`,
 * which takes any other route, is not in it.
 */
export const OPERATIONS: readonly Operation[] = [
  { operation: 'ping', method: 'GET', path: '/api/auth/me', reads: true },
  { operation: 'events.emit', method: 'POST', path: '/api/events/emit', worksWithoutReply: true },
  { operation: 'agents.<agentId>.execute', method: 'POST', path: '/api/agents/{agentId}/execute', streams: 'if true' },
  { operation: 'agents.<agentId>.chat', method: 'POST', path: '/api/agents/{agentId}/chat', streams: 'unless false' },
  {
    operation: 'turns.<agentId>.<turnId>.resume',
    method: 'POST',
    path: '/api/agents/{agentId}/turns/{turnId}/resume',
    streams: 'always',
  },
  {
    operation: 'turns.<agentId>.<turnId>.cancel',
    method: 'POST',
    path: '/api/agents/{agentId}/turns/{turnId}/cancel',
  },
  {
    operation: 'turns.<agentId>.<turnId>.attach',
    method: 'GET',
    path: '/api/agents/{agentId}/turns/{turnId}/stream',
    streams: 'always',
    reads: true,
  },
  { operation: 'jobs.submit', method: 'POST', path: '/api/agent-jobs', worksWithoutReply: true },
  { operation: 'jobs.<jobId>.get', method: 'GET', path: '/api/agent-jobs/{jobId}', reads: true },
  { operation: 'jobs.<jobId>.content', method: 'GET', path: '/api/agent-jobs/{jobId}/content', reads: true },
  { operation: 'jobs.<jobId>.cancel', method: 'POST', path: '/api/agent-jobs/{jobId}/cancel' },
  {
    operation: 'tasks.<taskId>.execute',
    method: 'POST',
    path: '/api/tasks/{taskId}/execute',
    worksWithoutReply: true,
  },
  {
    operation: 'executions.<executionId>.get',
    method: 'GET',
    path: '/api/tasks/executions/{executionId}',
    reads: true,
  },
  {
    operation: 'executions.<executionId>.cancel',
    method: 'POST',
    path: '/api/tasks/executions/{executionId}/cancel',
  },
  {
    operation: 'datasets.<datasetId>.query',
    method: 'POST',
    path: '/api/datasets/{datasetId}/data/query',
    reads: true,
  },
  {
    operation: 'datasets.<datasetId>.search',
    method: 'POST',
    path: '/api/datasets/{datasetId}/data/search',
    reads: true,
  },
  {
    operation: 'datasets.<datasetId>.insert',
    method: 'POST',
    path: '/api/datasets/{datasetId}/data/insert',
    worksWithoutReply: true,
  },
  {
    operation: 'datasets.<datasetId>.update',
    method: 'POST',
    path: '/api/datasets/{datasetId}/data/update',
    worksWithoutReply: true,
  },
  {
    operation: 'datasets.<datasetId>.delete',
    method: 'POST',
    path: '/api/datasets/{datasetId}/data/delete',
    worksWithoutReply: true,
  },
];

export const PING = 'ping';
/** Takes the method and the path from headers. */
export const HTTP = 'http';

interface Compiled extends Operation {
  tokens: readonly string[];
}

const compiled: readonly Compiled[] = OPERATIONS.map((operation) => ({
  ...operation,
  tokens: operation.operation.split('.'),
}));

/** By the words that an operation begins and ends with, and its number of tokens. */
const byWords = new Map(compiled.map((operation) => [wordsOf(operation.tokens), operation]));

function wordsOf(tokens: readonly string[]): string {
  return `${tokens.length} ${tokens[0]} ${tokens.at(-1)}`;
}

export interface FoundOperation {
  operation: Operation;
  /** The path with the fields of the subject. */
  path: string;
}

/** The operation of the tokens behind the account; null for an unknown one, or another number of tokens. */
export function findOperation(tokens: readonly string[]): FoundOperation | null {
  const operation = byWords.get(wordsOf(tokens));
  if (!operation) return null;
  const fields = new Map<string, string>();
  for (const [at, token] of operation.tokens.entries()) {
    const given = tokens[at] ?? '';
    if (token.startsWith('<')) fields.set(token.slice(1, -1), given);
    else if (token !== given) return null;
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fields.get(name) ?? ''));
  return { operation, path };
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const byRoute = OPERATIONS.map((operation) => ({ operation, pattern: patternOf(operation.path) }));

/** The operation of a route, for requests that name the path themselves. */
export const operationAt = (method: string, path: string): Operation | undefined =>
  byRoute.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

const STREAM_FIELD = /"stream"\s*:\s*(true|false)/;

/** Whether a body asks for a stream, as far as its text shows: an answer before the first frame is then the end of it. */
export function asksForStream(streams: Streams | undefined, body: Buffer): boolean {
  if (streams === undefined || streams === 'always') return streams === 'always';
  const value = STREAM_FIELD.exec(body.toString('latin1'))?.[1];
  return streams === 'if true' ? value === 'true' : value !== 'false';
}
