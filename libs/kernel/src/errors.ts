/** Error codes of the API, with their HTTP status. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  REQUEST_TOO_LARGE: 400,
  EVENT_PAYLOAD_INVALID: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_TOKENS: 402,
  BELOW_MINIMUM_BALANCE: 402,
  FORBIDDEN: 403,
  SECRET_NOT_ALLOWED: 403,
  SPACE_SUSPENDED: 403,
  NOT_FOUND: 404,
  EVENT_NOT_REGISTERED: 404,
  APPLICATION_NOT_INSTALLED: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TURN_ALREADY_ACTIVE: 409,
  INTERACTION_PENDING: 409,
  INTERACTION_NOT_PENDING: 409,
  IDEMPOTENCY_CONFLICT: 409,
  REQUEST_IN_PROGRESS: 409,
  JOB_FINISHED: 409,
  SECRET_MISSING: 409,
  SECRET_UNREADABLE: 409,
  STREAM_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  STREAM_PROTOCOL_REQUIRED: 426,
  DAILY_LIMIT_EXCEEDED: 429,
  MONTHLY_LIMIT_EXCEEDED: 429,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  RUNTIME_UNAVAILABLE: 503,
  COMPACTION_UNAVAILABLE: 503,
  TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(ERROR_STATUS, value);

export interface ErrorDetail {
  path: string;
  message: string;
}

/** A limit of a Space or of one of its credentials that refuses. */
export interface ReachedLimit {
  /** `requestsPerMinute`, or of a key `keys/<id>/requestsPerMinute`. */
  limit: string;
  value: number;
  /** Time at which it allows more; null if it does not do so by itself. */
  until: string | null;
}

export interface ErrorOptions {
  cause?: unknown;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
  /** Response headers that the gateway adds, for instance `Upgrade`. */
  headers?: Record<string, string>;
  limit?: ReachedLimit;
}

/**
 * The only error that leaves a service. `message` is for the caller and says what to do next; internals go into
 * `cause`, which is logged in the process that threw it.
 */
export class AppError extends Error {
  readonly details?: ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly headers?: Record<string, string>;
  /** Does not leave the process: the service that refuses reports it. */
  readonly limit?: ReachedLimit;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    if (options.details) this.details = options.details;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
    if (options.headers) this.headers = options.headers;
    if (options.limit) this.limit = options.limit;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  toJSON(): Record<string, unknown> {
    return {
      code: this.code,
      message: this.message,
      details: this.details,
      retryAfterSeconds: this.retryAfterSeconds,
      headers: this.headers,
    };
  }

  /** Reads the output of `toJSON` from another process; anything else becomes SERVER_ERROR. */
  static fromJSON(value: unknown): AppError {
    const wire = (value ?? {}) as Partial<Record<keyof AppError, unknown>>;
    if (!isErrorCode(wire.code) || typeof wire.message !== 'string') {
      return new AppError('SERVER_ERROR', 'Something went wrong on our side.');
    }
    return new AppError(wire.code, wire.message, {
      details: wire.details as ErrorDetail[] | undefined,
      retryAfterSeconds: wire.retryAfterSeconds as number | undefined,
      headers: wire.headers as Record<string, string> | undefined,
    });
  }
}

/** VALIDATION_ERROR for one field. */
export const invalid = (path: string, message: string): AppError =>
  new AppError('VALIDATION_ERROR', path === '' ? message : `${path}: ${message}`, { details: [{ path, message }] });

/** Any failure as an AppError: others become SERVER_ERROR. */
export const toAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('SERVER_ERROR', 'Something went wrong on our side.', { cause: error });

/** An infrastructure failure: a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT');
