import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { TcpProxy } from './tcp-proxy';
import { until } from './until';

/** A server that says everything back, and a client that reaches it through the proxy. */
async function scene() {
  const atServer = new Set<Socket>();
  const server = createServer((socket) => {
    atServer.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => atServer.delete(socket));
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await TcpProxy.to(`redis://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/3`);
  const open = () => {
    const { port, hostname } = new URL(proxy.url);
    const socket = connect(Number(port), hostname);
    const client = { socket, heard: '', isClosed: false };
    socket.on('data', (bytes: Buffer) => (client.heard += bytes.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => (client.isClosed = true));
    return client;
  };
  const close = async () => {
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { proxy, open, close, atServer };
}

const talks = async (client: { socket: Socket; heard: string }, text: string): Promise<void> => {
  client.socket.write(text);
  await until(() => client.heard.endsWith(text), { timeoutMs: 2000, everyMs: 2 });
};

describe('a proxy between a process and its server', () => {
  it('passes everything on, under the address of the server', async () => {
    const { proxy, open, close } = await scene();
    expect(proxy.url).toMatch(/^redis:\/\/user:secret@127\.0\.0\.1:\d+\/3$/);
    await talks(open(), 'hello');
    await close();
  });

  it('swallows without a word, and gives back what it held', async () => {
    const { proxy, open, close } = await scene();
    const client = open();
    await talks(client, 'one');
    proxy.swallow();
    client.socket.write('two');
    const late = open();
    late.socket.write('three');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([client.heard, late.heard, client.isClosed, late.isClosed]).toEqual(['one', '', false, false]);
    proxy.pass();
    await until(() => client.heard === 'onetwo' && late.heard === 'three');
    await close();
  });

  it('keeps the client of a connection that its server has lost', async () => {
    const { proxy, open, close, atServer } = await scene();
    const client = open();
    await talks(client, 'one');
    proxy.halfOpen();
    await until(() => atServer.size === 0);
    client.socket.write('two');
    await talks(open(), 'another');
    expect([client.heard, client.isClosed]).toEqual(['one', false]);
    proxy.pass();
    await until(() => client.isClosed);
    await close();
  });

  it('breaks connections off, and accepts none', async () => {
    const { proxy, open, close } = await scene();
    const client = open();
    await talks(client, 'one');
    proxy.refuse();
    await until(() => client.isClosed);
    const refused = open();
    await until(() => refused.isClosed);
    proxy.pass();
    await talks(open(), 'again');
    await close();
  });

  it('is slow on demand, and keeps the order', async () => {
    const { proxy, open, close } = await scene();
    const client = open();
    await talks(client, 'one');
    proxy.slow(40);
    const startedAt = performance.now();
    client.socket.write('two');
    client.socket.write('three');
    await until(() => client.heard === 'onetwothree', { everyMs: 2 });
    expect(performance.now() - startedAt).toBeGreaterThan(70);
    await close();
  });
});
