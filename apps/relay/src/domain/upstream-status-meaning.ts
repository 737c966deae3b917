/**
 * Meaning of an upstream's status for the call:
 * `answered` goes to the caller, `refused` is about the request and final, `busy` and `denied` send us to the next
 * candidate, `failed` may go better at the next try.
 */
export type StatusMeaning = 'answered' | 'refused' | 'busy' | 'denied' | 'failed';

export function meaningOf(status: number): StatusMeaning {
  if (status >= 200 && status < 300) return 'answered';
  if (status === 429) return 'busy';
  if (status === 401 || status === 402 || status === 403) return 'denied';
  if (status === 400 || status === 404 || status === 409 || status === 422) return 'refused';
  if (status === 408 || status === 425 || (status >= 500 && status !== 501)) return 'failed';
  // Redirects and the rest: trying again would give the same.
  return 'denied';
}
