import { type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WaitOutside } from '@switchyard/messaging';
import { Egress, EgressPolicy } from '../egress';
import { afterAttempt } from './after-attempt';
import { type AttemptResult, sendWebhook } from './webhook-request';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('an attempt to send a webhook', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function serve(handler: RequestListener): Promise<string> {
    const server = createServer(handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  function send(url: string, outside?: WaitOutside): Promise<AttemptResult> {
    // Each address of this machine is allowed, so that nothing but the redirect itself stops one.
    const egress = new Egress(new EgressPolicy(['127.0.0.1']));
    closing.push(() => egress.close());
    const message = { spaceId: 'a', url, id: 'm', body: '{}', secrets: [SECRET], userAgent: 'test' };
    return sendWebhook(egress, { ...message, ...(outside && { outside }) });
  }

  it.each([301, 302, 303, 307, 308])('fails with a redirect of %i, which it does not follow', async (status) => {
    let reached = 0;
    const inner = await serve((_, response) => response.writeHead(200).end(String((reached += 1))));
    const outer = await serve((_, response) => response.writeHead(status, { location: inner }).end());
    expect(await send(outer)).toMatchObject({ status, error: { code: 'REDIRECT' } });
    expect(reached).toBe(0);
  });

  it('that is answered with 410 is the last one', async () => {
    const attempt = await send(await serve((_, response) => response.writeHead(410).end()));
    expect(attempt).toMatchObject({ status: 410, error: { code: 'HTTP_STATUS' } });
    expect(afterAttempt(attempt, { failedBefore: 0 })).toEqual({ kind: 'ended', isRefused: true });
  });

  it.each([
    ['is answered', { status: 200, error: null }, (response: ServerResponse) => response.writeHead(200).end()],
    [
      'loses its connection',
      { status: null, error: { code: 'UNREACHABLE' } },
      (response: ServerResponse) => response.destroy(),
    ],
  ])('that %s lasts until then, and not until its process has a turn for it', async (_, result, answer) => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    closing.push(() => {
      clock.mockRestore();
    });
    const url = await serve((_, response) => {
      now += 20;
      answer(response);
    });
    const outside: WaitOutside = async (wait) => {
      try {
        return await wait();
      } finally {
        now += 6_000;
      }
    };
    expect(await send(url, outside)).toMatchObject({ ...result, durationMs: 20 });
    expect(now).toBe(6_020);
  });
});
