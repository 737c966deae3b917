import { AppError, ErrorCode } from '@switchyard/kernel';
import { RelayError } from './upstream-error';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'invalid_request_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
};

const QUOTAS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['DAILY_LIMIT_EXCEEDED', 'MONTHLY_LIMIT_EXCEEDED']);

const typeOf = (status: number, code: ErrorCode): string =>
  QUOTAS.has(code) ? 'insufficient_quota' : (TYPES[status] ?? 'server_error');

/** Clients of OpenAI's API try again on 409 and 429 by themselves: where that cannot help they are told not to. */
const isFinal = (code: ErrorCode): boolean =>
  QUOTAS.has(code) || code === 'CONFLICT' || code === 'INSUFFICIENT_TOKENS' || code === 'BELOW_MINIMUM_BALANCE';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The flat body of the platform and OpenAI's nested one in the same object, so that both kinds of client read it. */
export function errorAnswer(error: RelayError): ErrorAnswer {
  const nested = {
    message: error.message,
    type: typeOf(error.status, error.code),
    param: error.param,
    code: error.upstreamCode ?? error.code,
  };
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  if (isFinal(error.code)) headers['x-should-retry'] = 'false';
  return {
    status: error.status,
    headers,
    body: JSON.stringify({ success: false, message: error.message, code: error.code, error: nested }),
  };
}

export const relayErrorOf = (error: AppError): RelayError => ({
  status: error.status,
  code: error.code,
  message: error.message,
  param: error.details?.[0]?.path || null,
  upstreamCode: null,
  ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
});

/**
 * The same inside a stream that has begun: readers of OpenAI's format throw it instead of taking half an answer for
 * whole.
 */
export const errorEvent = (error: RelayError): string => `data: ${errorAnswer(error).body}\n\n`;
