import { Injectable } from '@nestjs/common';
import { SecretCalls, actAs, serviceCtx } from '@switchyard/contracts';
import { AppError, FillMeter, checkSecretValues, fillSecretReferences, secretNamesInJson } from '@switchyard/kernel';
import { Bus, type WaitOutside } from '@switchyard/messaging';
import { type AttemptResult, Egress, attempted, failedAttempt, isHostAllowed, sendWebhook } from '@switchyard/service';
import { EndpointEncryption } from './endpoint-encryption';

export interface EndpointMessage {
  spaceId: string;
  endpointId: string;
  url: string;
  /** Sealed, as are the secrets. */
  headers: string | null;
  secret: string;
  oldSecret: string | null;
  /** Of Standard Webhooks. */
  webhookId: string;
  /** The envelope that caused the message; null for a test. */
  envelopeId: string | null;
  /** Of what caused the message. */
  traceparent: string | null;
  body: string;
}

/** No further attempt can succeed before the owner has saved the endpoint again. */
export const UNREADABLE = 'ENDPOINT_UNREADABLE';
const HEADERS_MAX_BYTES = 32 * 1024;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const tooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', `The headers have more than ${HEADERS_MAX_BYTES} bytes with their secrets.`);

/** Sends messages to endpoints over HTTP: signed, with the headers of the endpoint and the current values of secrets. */
@Injectable()
export class EndpointRequests {
  constructor(
    private readonly egress: Egress,
    private readonly bus: Bus,
    private readonly encryption: EndpointEncryption,
  ) {}

  /** Never throws: each failure to send the message is a failed attempt. */
  send(message: EndpointMessage, outside?: WaitOutside): Promise<AttemptResult> {
    return attempted(async () => {
      const { spaceId, endpointId, url, webhookId, envelopeId, traceparent, body, secret, oldSecret } = message;
      const problem = this.encryption.problemOf({ id: endpointId, url, headers: message.headers, secret });
      if (problem !== null) return failedAttempt(UNREADABLE, problem);
      const headers = await this.headersOf(message);
      return sendWebhook(this.egress, {
        spaceId,
        pool: endpointId,
        url,
        id: webhookId,
        body,
        secrets: [
          this.encryption.openSecret(endpointId, secret),
          ...this.encryption.openOldSecret(endpointId, oldSecret),
        ],
        headers: {
          ...headers,
          ...(envelopeId === null ? {} : { 'switchyard-cause': envelopeId }),
          ...(traceparent === null ? {} : { traceparent }),
        },
        userAgent: 'Switchyard-Webhooks/1',
        ...(outside === undefined ? {} : { outside }),
      });
    });
  }

  private async headersOf({ spaceId, endpointId, headers, url }: EndpointMessage): Promise<Record<string, string>> {
    const stored = this.encryption.openHeaders(endpointId, headers);
    const names = secretNamesInJson(Object.values(stored));
    if (names.length === 0) return stored;
    const ctx = actAs(serviceCtx('event-bus'), { spaceId });
    const { secrets } = await this.bus.call(SecretCalls.open, ctx, { names });
    const byName = new Map(secrets.map((secret) => [secret.name, secret]));
    for (const name of names) {
      const secret = byName.get(name);
      if (!secret) throw new AppError('SECRET_MISSING', `The Space has no secret called ${name} any more.`);
      if (!isHostAllowed(secret.hosts, url))
        throw new AppError('SECRET_NOT_ALLOWED', `The secret ${name} may not be sent to ${new URL(url).host}.`);
    }
    checkSecretValues(secrets.map(({ value }) => value));
    return filled(stored, (name) => byName.get(name)?.value ?? '');
  }
}

/** They are measured before anything is filled in. */
function filled(headers: Readonly<Record<string, string>>, valueOf: (name: string) => string): Record<string, string> {
  const meter = new FillMeter({ bytes: HEADERS_MAX_BYTES }, tooLarge);
  const entries = Object.entries(headers).map(([name, template]): [string, string] => {
    const value = fillSecretReferences(template, valueOf, meter);
    if (!HEADER_VALUE.test(value))
      throw new AppError('VALIDATION_ERROR', `The header ${name} has characters that a header cannot carry.`);
    return [name, value];
  });
  return Object.fromEntries(entries);
}
