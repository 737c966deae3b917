import { hash } from 'node:crypto';
import {
  carriedCtx,
  type Ctx,
  type ProxyHead,
  RELAY_PROXY_HEADERS,
  RELAY_PROXY_PATH,
  makeCtx,
  proxySealedText,
} from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { type AnswerReader, MuxConnectionPool } from '@switchyard/service';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { balanceOf } from './support/money';

const platform = usePlatform();
const BODY = Buffer.from(
  JSON.stringify({ model: 'sim-chat', messages: [{ role: 'user', content: '@@usage 3 4\n@@reply hi' }] }),
);

let space: TestSpace;
let ctx: Ctx;
let mux: MuxConnectionPool;

const sealerOf = (service: string): MessageSigner => {
  const { services } = platform.state.secrets;
  const publicKeys = Object.fromEntries(Object.entries(services).map(([name, { publicKey }]) => [name, publicKey]));
  return new MessageSigner(
    service,
    (services as Record<string, { privateKey: string }>)[service]?.privateKey ?? '',
    publicKeys,
  );
};

const headOf = (body: Buffer, changes: Partial<ProxyHead> = {}): ProxyHead => ({
  ctx: carriedCtx(ctx),
  method: 'POST',
  target: 'chat/completions',
  digest: hash('sha256', body, 'base64url'),
  headers: { 'content-type': 'application/json' },
  ...changes,
});

const relayUrl = (): string => platform.state.internalUrls['relay'] ?? '';

/** The status and text of an answer, or the code of what refuses it. */
async function ask(headOf: string, body = BODY): Promise<[number | string, string]> {
  const line = await mux.line();
  return new Promise((resolve) => {
    let status = 0;
    let text = '';
    const reader: AnswerReader = {
      answer: (head, bytes, isWhole) => {
        status = (JSON.parse(head.toString()) as { status: number }).status;
        text = bytes.toString();
        if (isWhole) resolve([status, text]);
      },
      bytes: (bytes) => {
        text += bytes.toString();
      },
      end: () => {
        resolve([status, text]);
      },
      fail: (reason) => {
        resolve([(JSON.parse(reason ?? '{"code":"broken"}') as { code: string }).code, '']);
      },
    };
    line.ask(headOf, body, reader);
  });
}

function sealed(head: ProxyHead, by = 'gateway', to = 'relay', subject = RELAY_PROXY_PATH): string {
  const text = JSON.stringify(head);
  return `${sealerOf(by).seal(subject, Buffer.from(text), [to])}\n${text}`;
}

beforeAll(async () => {
  space = await platform.newSpace();
  ctx = makeCtx({
    spaceId: space.id,
    userId: space.owner.identity.userId ?? null,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: newId(),
    credentialType: 'jwt',
    applicationId: null,
  });
  mux = new MuxConnectionPool(new URL(relayUrl()), RELAY_PROXY_PATH);
});
afterAll(() => {
  mux.close();
});

describe('the road from the gateway', () => {
  it('carries what the gateway has sealed', async () => {
    const [status, text] = await ask(sealed(headOf(BODY)));
    expect(status).toBe(200);
    expect(text).toContain('hi');
  });

  it.each([
    ['by another service', (): string => sealed(headOf(BODY), 'agent')],
    ['for another service', (): string => sealed(headOf(BODY), 'gateway', 'session')],
    ['for another use', (): string => sealed(headOf(BODY), 'gateway', 'relay', 'relay.complete')],
    ['by nobody', (): string => JSON.stringify(headOf(BODY))],
    ['with nothing', (): string => `\n${JSON.stringify(headOf(BODY))}`],
    ['and then changed', (): string => sealed(headOf(BODY)).replace(space.id, newId())],
    ['with another body', (): string => sealed(headOf(Buffer.from('{}')))],
    ['and is not JSON', (): string => `${sealerOf('gateway').seal(RELAY_PROXY_PATH, Buffer.from('{'), ['relay'])}\n{`],
  ])('refuses what was sealed %s', async (_, headOf) => {
    const before = await balanceOf(space.owner);
    const [code] = await ask(headOf());
    expect(['FORBIDDEN', 'SERVER_ERROR']).toContain(code);
    expect(await balanceOf(space.owner)).toEqual(before);
  });

  it('goes over HTTP for a gateway of 0.1.0, by the same rules', async () => {
    const over = async (body: Buffer, digestOf: Buffer): Promise<[number, string]> => {
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        [RELAY_PROXY_HEADERS.ctx]: Buffer.from(JSON.stringify(carriedCtx(ctx))).toString('base64url'),
        [RELAY_PROXY_HEADERS.method]: 'POST',
        [RELAY_PROXY_HEADERS.target]: 'chat/completions',
        [RELAY_PROXY_HEADERS.digest]: hash('sha256', digestOf, 'base64url'),
      };
      const text = Buffer.from(proxySealedText(headers));
      headers[RELAY_PROXY_HEADERS.seal] = sealerOf('gateway').seal(RELAY_PROXY_PATH, text, ['relay']);
      const answer = await fetch(`${relayUrl()}${RELAY_PROXY_PATH}`, { method: 'POST', headers, body });
      return [answer.status, await answer.text()];
    };
    const [status, text] = await over(BODY, BODY);
    expect([status, text.includes('hi')]).toEqual([200, true]);
    expect((await over(BODY, Buffer.from('{}')))[0]).toBe(403);
  });
});
