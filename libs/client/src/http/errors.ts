import { noteRequest, requestOf } from './describe-failed-request';

export interface ErrorDetail {
  path: string;
  message: string;
}

/** An answer of the API that is not a success. `code` is stable; `message` says what to do. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Quote it when you report a problem. */
    readonly requestId: string | null = null,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** The API could not be reached, or the connection broke and could not be restored. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The service speaks another version of the API than this package was made for: its answers would be read wrongly. */
export class ApiVersionError extends Error {
  override readonly name = 'ApiVersionError';

  constructor(
    readonly expected: string,
    readonly actual: string,
  ) {
    super(
      `This client is made for version ${expected} of the API, and the service has ${actual}. Install the client of that version.`,
    );
  }
}

/** A stream skipped or repeated frames in a way that cannot be repaired. */
export class StreamProtocolError extends Error {
  override readonly name = 'StreamProtocolError';

  constructor(
    message: string,
    readonly turnId: string,
    readonly lastSeq: number,
  ) {
    super(message);
  }
}

/** A turn ended without an answer; the stream's `error.occurred` says why. */
export class TurnFailedError extends SwitchyardError {
  override readonly name = 'TurnFailedError';

  constructor(
    code: string,
    message: string,
    readonly turnId: string,
    readonly lastSeq: number,
  ) {
    super(200, code, message);
  }
}

export async function errorOf(response: Response): Promise<SwitchyardError> {
  const body = (await response.json().catch(() => ({}))) as {
    code?: string;
    message?: string;
    details?: ErrorDetail[];
  };
  const request = requestOf(response);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const error = new SwitchyardError(
    response.status,
    body.code ?? 'SERVER_ERROR',
    body.message ?? `The API answered with status ${response.status}.`,
    body.details ?? [],
    response.headers.get('x-request-id'),
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
  return request ? noteRequest(error, request) : error;
}
