import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError, verifyWebhook, webhookIdOf } from '.';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const body = JSON.stringify({ type: 'order.paid', timestamp: '2030-01-01T00:00:00.000Z', data: { order: 'o-1' } });

const signed = (secrets: readonly string[], at = new Date()): Record<string, string> => ({
  'webhook-id': 'an-id',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('an-id', at, body)).join(' '),
});

describe('the verification of a webhook', () => {
  it('returns the event of a request that is signed', () => {
    const headers = signed([SECRET]);
    const event = { type: 'order.paid', data: { order: 'o-1' } };
    expect(verifyWebhook(body, headers, SECRET)).toMatchObject(event);
    expect(verifyWebhook(Buffer.from(body), new Headers(headers), SECRET)).toMatchObject(event);
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook(body, capitals, SECRET)).toMatchObject(event);
    expect(webhookIdOf(capitals)).toBe('an-id');
  });

  it('accepts either secret during a rotation', () => {
    expect(verifyWebhook(body, signed([OTHER, SECRET]), SECRET)).toBeDefined();
    expect(verifyWebhook(body, signed([SECRET]), [OTHER, SECRET])).toBeDefined();
  });

  it.each<[string, string, Record<string, string>, string | string[]]>([
    ['another secret', body, signed([OTHER]), SECRET],
    ['another body', `${body} `, signed([SECRET]), SECRET],
    ['an old time', body, signed([SECRET], new Date(Date.now() - 600_000)), SECRET],
    ['no headers', body, {}, SECRET],
    ['no secret', body, signed([SECRET]), []],
  ])('refuses %s', (_, text, headers, secrets) => {
    expect(() => verifyWebhook(text, headers, secrets)).toThrow(WebhookVerificationError);
  });
});
