import { setImmediate } from 'node:timers/promises';
import { McpTurns } from './mcp-turns';

/** Begins so many messages of a Space at once, and notes each as it is begun. */
async function begin(turns: McpTurns, begun: string[], spaceId: string, times: number): Promise<void> {
  const taking = Array.from({ length: times }, async () => {
    await turns.take(spaceId);
    begun.push(spaceId);
  });
  await Promise.all(taking);
}

describe('messages at /mcp that arrive together', () => {
  it('begin a few per turn of the event loop, so that other work runs between them', async () => {
    const begun: string[] = [];
    const all = begin(new McpTurns(), begun, 'a', 100);
    let most = 0;
    for (let before = 0; begun.length < 100; before = begun.length) {
      await setImmediate();
      most = Math.max(most, begun.length - before);
    }
    await all;
    expect(most).toBeLessThanOrEqual(12);
  });

  it('do not delay the message of another Space until all of them have begun', async () => {
    const turns = new McpTurns();
    const begun: string[] = [];
    const flood = begin(turns, begun, 'a', 100);
    await setImmediate();
    await begin(turns, begun, 'b', 3);
    expect(begun.length).toBeLessThan(30);
    await flood;
  });

  it('do not delay a single message', async () => {
    const turns = new McpTurns();
    let isBegun = false;
    void turns.take('a').then(() => (isBegun = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isBegun).toBe(true);
    await setImmediate();
  });
});
