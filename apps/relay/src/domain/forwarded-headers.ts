const REQUEST = ['content-type', 'accept', 'openai-beta', 'traceparent'];
const RESPONSE = ['content-type', 'content-disposition', 'openai-processing-ms'];

const pick = (
  names: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> => {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
};

/**
 * Request headers that are forwarded to the upstream. Credentials, cookies and hop-by-hop headers are not on the list.
 */
export const requestHeaders = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
  traceparent?: string,
): Record<string, string> => {
  const picked = pick(REQUEST, headers);
  if (traceparent !== undefined) picked['traceparent'] = traceparent;
  return picked;
};

/** How far a Space is from its daily cap, under the names that clients of OpenAI's API look for. */
export function dayHeaders(day: { cap: number; left: number; endsInSeconds: number } | null): Record<string, string> {
  if (!day) return {};
  return {
    'x-ratelimit-limit-tokens': String(day.cap),
    'x-ratelimit-remaining-tokens': String(day.left),
    'x-ratelimit-reset-tokens': `${day.endsInSeconds}s`,
  };
}

/** Response headers that are forwarded to the caller. The upstream's request id gets a name of its own. */
export function responseHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const shown = pick(RESPONSE, headers);
  const id = headers['x-request-id'];
  if (typeof id === 'string' && /^[\w.:-]{1,200}$/.test(id)) shown['x-upstream-request-id'] = id;
  return shown;
}
