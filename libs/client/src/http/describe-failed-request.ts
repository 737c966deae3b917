/** The failed request, without the credential. Files and streams are left out. */
export interface FailedRequest {
  method: string;
  /** With its query, relative to the host. */
  path: string;
  body?: unknown;
}

// Beside the errors, not in them: an error that is logged does not show what was sent.
const requests = new WeakMap<object, FailedRequest>();

/** The request of an error, to show or to repeat it; null if there was none. */
export const requestOf = (error: unknown): FailedRequest | null =>
  (typeof error === 'object' && error !== null && requests.get(error)) || null;

/** Records the request of a response or an error. */
export function noteRequest<T extends object>(target: T, request: FailedRequest): T {
  requests.set(target, request);
  return target;
}
