import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { WebhookEvent } from './event';

export { WebhookVerificationError };
export type { WebhookEvent } from './event';

/** Headers of Node (`request.headers`), of fetch (`request.headers`), or of any framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Checks the signature and the time of a request, and returns its event. `body` is the raw body, before JSON is parsed.
 * `secrets` is the secret of the endpoint, or several while you change it. Throws `WebhookVerificationError` for a
 * request that none of them has signed, or that is older than five minutes.
 */
export function verifyWebhook<Data = Record<string, unknown>>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): WebhookEvent<Data> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]));
  let failure: unknown = new WebhookVerificationError('No secret was given');
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    try {
      return new Webhook(secret).verify(text, signed) as WebhookEvent<Data>;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** The same for every attempt to deliver an event: a receiver that has seen it ignores the request. */
export const webhookIdOf = (headers: WebhookHeaders): string => headerOf(headers, 'webhook-id');

function headerOf(headers: WebhookHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? '';
  const value = headers[name] ?? Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

const isFetchHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers['get'] === 'function';
