import { AppError, ErrorCode, isPlainObject } from '@switchyard/kernel';
import { retryAfterSeconds } from './retry-after';

/** An upstream's refusal, as it came. */
export interface UpstreamAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** The error that the caller gets: status, code, and the upstream's message if it is about the request. */
export interface RelayError {
  status: number;
  code: ErrorCode;
  message: string;
  param: string | null;
  upstreamCode: string | null;
  retryAfterSeconds?: number;
}

const PASSED_STATUSES: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
};

/** Keys and tokens that an upstream might quote. */
const SECRETS =
  /\b(?:sk|pk|key|org|proj)[-_][A-Za-z0-9*._-]{6,}|\bBearer\s+\S+|\b[A-Za-z0-9+/_-]{32,}\b|https?:\/\/\S+/g;

function errorFieldsOf(body: string): { message: string | null; param: string | null; code: string | null } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { message: null, param: null, code: null };
  }
  const error = isPlainObject(parsed) ? (parsed['error'] ?? parsed) : null;
  if (typeof error === 'string') return { message: error, param: null, code: null };
  if (!isPlainObject(error)) return { message: null, param: null, code: null };
  const text = (value: unknown, max: number): string | null =>
    typeof value === 'string' && value !== '' ? value.slice(0, max) : null;
  return { message: text(error['message'], 500), param: text(error['param'], 100), code: text(error['code'], 100) };
}

const UNAVAILABLE = 'The model is not available at the moment. Try again shortly.';

/** 400, 404, 409, 422 and 429 are the caller's to know; other upstream errors are only for the operator. */
export function mapUpstreamError(answer: UpstreamAnswer, now: Date): RelayError {
  const code = PASSED_STATUSES[answer.status];
  if (!code) return { status: 503, code: 'RUNTIME_UNAVAILABLE', message: UNAVAILABLE, param: null, upstreamCode: null };
  const words = errorFieldsOf(answer.body);
  const upstreamMessage = (words.message ?? '').replace(SECRETS, '[hidden]').replace(/\s+/g, ' ').trim();
  const message =
    answer.status === 429
      ? 'The model is overloaded or its rate limit is reached. Try again later.'
      : upstreamMessage || 'The model refused the request.';
  const retry = answer.status === 429 ? (retryAfterSeconds(answer.headers, now) ?? 1) : undefined;
  return {
    status: answer.status,
    code,
    message,
    param: words.param,
    upstreamCode: words.code,
    ...(retry === undefined ? {} : { retryAfterSeconds: retry }),
  };
}

export const unavailable = (cause?: unknown): AppError =>
  new AppError('RUNTIME_UNAVAILABLE', UNAVAILABLE, { retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) });
