import { McpConnection } from './mcp-connection';

type Connecting = ConstructorParameters<typeof McpConnection>[0];

const stopped = (): Error => new Error('stopped');

describe('a connection that several calls share', () => {
  it('is closed when the last of them is done, also if others fail', async () => {
    const close = { at: 0 };
    const lifetime = new AbortController();
    const client = Promise.resolve({ close: () => Promise.resolve((close.at += 1)) }) as unknown as Connecting;
    const connection = new McpConnection(client, lifetime);
    let finish: (text: string) => void = () => undefined;
    const long = connection.use(
      new AbortController().signal,
      stopped,
      () => new Promise<string>((done) => (finish = done)),
    );
    const given = new AbortController();
    const short = connection.use(given.signal, stopped, () => new Promise<string>(() => undefined));
    given.abort();
    await expect(short).rejects.toThrow('stopped');
    connection.retire();
    expect([lifetime.signal.aborted, close.at]).toEqual([false, 0]);
    await Promise.resolve();
    finish('done');
    expect(await long).toBe('done');
    await client;
    expect([lifetime.signal.aborted, close.at]).toEqual([true, 1]);
  });
});
