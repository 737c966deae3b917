import { AppError } from '@switchyard/kernel';

export interface ErrorBody {
  success: false;
  message: string;
  code: string;
  details?: { path: string; message: string }[];
}

/** The flat error body of the whole API. */
export function errorBody(error: AppError): ErrorBody {
  const body: ErrorBody = { success: false, message: error.message, code: error.code };
  if (error.details && error.details.length > 0) body.details = error.details;
  return body;
}

const OPENAI_TYPES: Partial<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'invalid_request_error',
  429: 'rate_limit_error',
};

interface RelayErrorBody extends ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

/** On the relay the flat body has a twin in OpenAI's form, so that both kinds of client read it. */
export function relayErrorBody(error: AppError): RelayErrorBody {
  const type = OPENAI_TYPES[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'server_error');
  return {
    ...errorBody(error),
    error: { message: error.message, type, param: error.details?.[0]?.path ?? null, code: error.code },
  };
}

const LANGGRAPH_ERRORS: Partial<Record<number, string>> = {
  400: 'invalid_argument',
  401: 'permission_denied',
  403: 'permission_denied',
  404: 'no_such_run',
  409: 'invalid_argument',
};

/** Beside the flat body stands what LangGraph's protocol has for a command that failed. */
const langGraphErrorBody = (error: AppError): object => ({
  ...errorBody(error),
  type: 'error',
  id: null,
  error: LANGGRAPH_ERRORS[error.status] ?? 'unknown_error',
});

/**
 * The body in which a refusal leaves. `target` is what was asked for, as it was written: a malformed path matches no
 * route.
 */
export function bodyAt(target: string, error: AppError): object {
  if (target.startsWith('/langgraph/')) return langGraphErrorBody(error);
  return isRelay(target) ? relayErrorBody(error) : errorBody(error);
}

export const isRelay = (target: string): boolean => target.startsWith('/models/') || target.startsWith('/openai/');

/** Quotas do not come back by trying again: OpenAI's clients would otherwise send each refused request three times. */
const NOT_WORTH_RETRYING = new Set([402, 409]);
const QUOTAS = new Set(['DAILY_LIMIT_EXCEEDED', 'MONTHLY_LIMIT_EXCEEDED']);

export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = { ...error.headers };
  if (error.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds)));
  return headers;
}

export const shouldRetryHeader = (error: AppError): Record<string, string> =>
  NOT_WORTH_RETRYING.has(error.status) || QUOTAS.has(error.code) ? { 'x-should-retry': 'false' } : {};
