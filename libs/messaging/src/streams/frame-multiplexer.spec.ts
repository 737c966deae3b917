import type { NatsConnectionManager } from '../transport/nats-connection-manager';
import { Entry, type WireEntry, unpackBatch } from '../transport/frame-encoding';
import { FrameMultiplexer } from './frame-multiplexer';

const entry = (kind: WireEntry['kind'], count = 0): WireEntry => ({
  stream: 'a',
  kind,
  count,
  payload: Buffer.from('x'),
});

describe('the frames of all streams to one reader', () => {
  const sent: number[][] = [];
  const link = {
    maxPayload: 1_000_000,
    isUp: true,
    nc: {
      publish: (_subject: string, batch: Uint8Array) => sent.push(unpackBatch(batch).map(({ kind }) => kind)),
    },
  } as unknown as NatsConnectionManager;

  beforeEach(() => {
    sent.length = 0;
  });

  it('leave together with the end of their stream, when it follows without waiting for anything', async () => {
    const multiplexer = new FrameMultiplexer(link, 'reader');
    multiplexer.add(entry(Entry.frame));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    multiplexer.add(entry(Entry.end, 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual([[Entry.frame, Entry.end]]);
  });

  it('leave at once when they come alone, and gather for a moment behind that', async () => {
    const multiplexer = new FrameMultiplexer(link, 'reader');
    multiplexer.add(entry(Entry.frame));
    await new Promise((resolve) => setImmediate(resolve));
    multiplexer.add(entry(Entry.frame, 1));
    multiplexer.add(entry(Entry.frame, 2));
    multiplexer.flush();
    expect(sent).toEqual([[Entry.frame], [Entry.frame, Entry.frame]]);
  });
});
