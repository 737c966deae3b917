/** The failed request, without the credential. Files and streams are left out. */
export interface FailedRequest {
  method: string;
  /** With its query, relative to the host. */
  path: string;
  body?: unknown;
}

// Beside the errors, not in them: an error that is logged does not show what was sent.
const requests = new WeakMap<object, FailedRequest>();

/** The request that an error came from, to show it or to repeat it; null where there was none. */
export const requestOf = (error: unknown): FailedRequest | null =>
  (typeof error === 'object' && error !== null && requests.get(error)) || null;

/** Of an answer or an error: what it belongs to. */
export function noteRequest<T extends object>(of: T, request: FailedRequest): T {
  requests.set(of, request);
  return of;
}
