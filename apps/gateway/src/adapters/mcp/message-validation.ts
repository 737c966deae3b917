import { PROTOCOL_VERSION_META_KEY, specTypeSchemas } from '@modelcontextprotocol/server';
import { AppError, JSON_LIMITS, checkJson, invalid, isPlainObject, toAppError } from '@switchyard/kernel';

/** How deep a tool's arguments lie in their message: they may themselves be as deep as the body of a route. */
const ARGUMENTS_AT = 2;

const PARAMS = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequestParams,
    'tools/list': specTypeSchemas.PaginatedRequestParams,
    'tools/call': specTypeSchemas.CallToolRequestParams,
    'prompts/list': specTypeSchemas.PaginatedRequestParams,
    'prompts/get': specTypeSchemas.GetPromptRequestParams,
    'resources/list': specTypeSchemas.PaginatedRequestParams,
    'resources/templates/list': specTypeSchemas.PaginatedRequestParams,
    'resources/read': specTypeSchemas.ReadResourceRequestParams,
  } as Record<string, ParamsSchema>),
);

interface ParamsSchema {
  '~standard': { validate(value: unknown): unknown };
}

interface ValidationResult {
  issues?: readonly { message: string; path?: readonly unknown[] }[];
}

export interface McpRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** A request that can be answered under its id; the SDK looks at everything else. */
export const isRequest = (message: unknown): message is McpRequest =>
  isPlainObject(message) &&
  typeof message['method'] === 'string' &&
  (typeof message['id'] === 'string' || typeof message['id'] === 'number');

export const isToolCall = (message: unknown): message is McpRequest =>
  isRequest(message) && message.method === 'tools/call' && typeof message.params?.['name'] === 'string';

function unsafe(value: unknown, depth: number): AppError | null {
  try {
    checkJson(value, { ...JSON_LIMITS, depth });
    return null;
  } catch (error) {
    return toAppError(error);
  }
}

/**
 * Validates what later code relies on. Errors of tool arguments use the API's wording, without the message around them.
 */
export function unsafeIn(message: unknown, depth: number): AppError | null {
  const fault = unsafe(message, depth + ARGUMENTS_AT);
  if (!fault || !isToolCall(message)) return fault;
  return unsafe(message.params?.['arguments'], depth) ?? fault;
}

/** The call without what it brings, to be refused by name: what is left is safe. Null where that is not so. */
export function emptied(message: unknown, depth: number): McpRequest | null {
  if (!isToolCall(message)) return null;
  const { id, method, params } = message;
  const rest = { name: params?.['name'], _meta: params?.['_meta'] };
  return unsafe(rest, depth) ? null : { jsonrpc: '2.0', id, method, params: rest };
}

/** Since 2026-07-28 every request names its revision, and there is no `initialize` whose params could be wrong. */
const isOfNewEra = ({ params }: McpRequest): boolean => {
  const meta = params?.['_meta'];
  return isPlainObject(meta) && meta[PROTOCOL_VERSION_META_KEY] !== undefined;
};

/** The protocol's schema error for a request's params, in one line. */
export function misshapenIn(message: unknown): AppError | null {
  if (!isRequest(message) || (message.method === 'initialize' && isOfNewEra(message))) return null;
  const schema = PARAMS.get(message.method);
  const { issues } = (schema?.['~standard'].validate(message.params ?? {}) ?? {}) as ValidationResult;
  const issue = issues?.[0];
  if (!issue) return null;
  const path = (issue.path ?? []).map(String).join('.');
  return invalid(path === '' ? 'params' : path, issue.message.replace(/^Invalid input: /, ''));
}
