import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Egress } from './outbound-http';
import { EgressPolicy } from './egress-policy';
import { NameResolver } from './name-resolver';
import { until } from '@switchyard/testing';

const listen = async (handler: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number }> => {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

describe('calls to addresses of users', () => {
  const closing: (() => unknown)[] = [];
  const made = (allow: string[]): Egress => {
    const egress = new Egress(new EgressPolicy(allow));
    closing.push(() => egress.close());
    return egress;
  };
  const served = async (handler: Parameters<typeof createServer>[1]): Promise<number> => {
    const { server, port } = await listen(handler);
    closing.push(() => server.close());
    return port;
  };
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('checks the address that a name resolves to, not the name', async () => {
    let reached = 0;
    const port = await served((_, response) => response.end(String((reached += 1))));
    // One unrelated address is listed, so that the name itself passes and the connection decides.
    const call = made(['10.9.9.9']).request({ spaceId: 'a', url: `http://localhost:${port}/` });
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(reached).toBe(0);
  });

  it('reaches a private address that is listed', async () => {
    const port = await served((_, response) => response.end('here'));
    const answer = await made(['127.0.0.1']).request({ spaceId: 'a', url: `http://localhost:${port}/` });
    expect(answer.body.toString()).toBe('here');
  });

  it('resolves names itself, without getaddrinfo and its threads', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-names-'));
    closing.push(() => rmSync(folder, { recursive: true }));
    const hostsFile = path.join(folder, 'hosts');
    writeFileSync(hostsFile, '127.0.0.1 only-here.example\n');
    const egress = new Egress(new EgressPolicy(['127.0.0.1']), new NameResolver({ hostsFile }));
    closing.push(() => egress.close());
    const port = await served((_, response) => response.end('here'));
    const answer = await egress.request({ spaceId: 'a', url: `http://only-here.example:${port}/` });
    expect(answer.body.toString()).toBe('here');
  });

  it('checks the target of every redirect', async () => {
    let reached = 0;
    const inner = await served((_, response) => response.end(String((reached += 1))));
    const outer = await served((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end(),
    );
    const call = made([`127.0.0.1:${outer}`]).request({ spaceId: 'a', url: `http://127.0.0.1:${outer}/` });
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(reached).toBe(0);
  });

  it('leaves secrets behind when a redirect changes the origin', async () => {
    let seen: unknown;
    const second = await served((request, response) => {
      seen = request.headers;
      response.end('ok');
    });
    const first = await served((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${second}/` }).end(),
    );
    await made(['127.0.0.1']).request({
      spaceId: 'a',
      url: `http://127.0.0.1:${first}/`,
      headers: { 'X-Api-Key': 's', Authorization: 's', Accept: 'a/b' },
    });
    expect(seen).toMatchObject({ accept: 'a/b' });
    expect(seen).not.toHaveProperty('authorization');
    expect(seen).not.toHaveProperty('x-api-key');
  });

  it('stops reading an answer that is too long', async () => {
    const port = await served((_, response) => response.end('x'.repeat(5000)));
    const call = made(['127.0.0.1']).request({ spaceId: 'a', url: `http://127.0.0.1:${port}/`, maxBytes: 1000 });
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('waits before it reads a large answer, and not before a small one', async () => {
    const port = await served((request, response) => response.end('x'.repeat(request.url === '/large' ? 5000 : 100)));
    const admit = jest.fn(() => Promise.resolve());
    const call = (path: string): ReturnType<Egress['request']> =>
      made(['127.0.0.1']).request({
        spaceId: 'a',
        url: `http://127.0.0.1:${port}${path}`,
        beforeLarge: { bytes: 1000, admit },
      });
    expect((await call('/small')).body).toHaveLength(100);
    expect(admit).not.toHaveBeenCalled();
    expect((await call('/large')).body).toHaveLength(5000);
    expect(admit).toHaveBeenCalledTimes(1);
  });

  it('gives up on an address that does not answer in time', async () => {
    const port = await served(() => undefined);
    const call = made(['127.0.0.1']).request({ spaceId: 'a', url: `http://127.0.0.1:${port}/`, timeoutMs: 100 });
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('have connections of their own in each Space', async () => {
    let open = 0;
    const port = await served((request, response) => {
      if (request.url === '/hold') open += 1;
      else response.end('here');
    });
    const egress = made(['127.0.0.1']);
    const url = `http://127.0.0.1:${port}/`;
    const over = new AbortController();
    const leased = Array.from({ length: 40 }, () =>
      egress.request({ spaceId: 'a', url: `${url}hold`, signal: over.signal }).catch(() => null),
    );
    await until(() => open === 32);
    const answer = await egress.request({ spaceId: 'b', url });
    expect(answer.body.toString()).toBe('here');
    expect(open).toBe(32);
    over.abort();
    await Promise.all(leased);
  });

  it('end with their time limit while they wait for a connection', async () => {
    const port = await served(() => undefined);
    const egress = made(['127.0.0.1']);
    const url = `http://127.0.0.1:${port}/`;
    const over = new AbortController();
    const open = Array.from({ length: 32 }, () =>
      egress.request({ spaceId: 'a', url, signal: over.signal }).catch(() => null),
    );
    await expect(egress.request({ spaceId: 'a', url, timeoutMs: 200 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    over.abort();
    await Promise.all(open);
  });
});

describe('outgoing connections', () => {
  it('are those of a payer, and no others', async () => {
    const egress = new Egress(new EgressPolicy(), undefined, (spaceId) => (spaceId === 'c' ? 'c' : 'payer'));
    expect(egress.dispatcherOf('a')).toBe(egress.dispatcherOf('b'));
    expect(egress.dispatcherOf('a')).not.toBe(egress.dispatcherOf('c'));
    await egress.close();
  });
});
