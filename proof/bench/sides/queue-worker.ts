// The worker of a queue that we compare ourselves with, in a process of its own: does nothing, and tells when.
import { createRequire } from 'node:module';
import path from 'node:path';
import { type QueueName, type QueuePeer, peerOf } from '../rows/events-queues';

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function serve(): Promise<void> {
  const { QUEUE = '', FOLDER = '', CONNECTION = '' } = process.env;
  const load = createRequire(path.join(FOLDER, 'package.json'));
  const peer: QueuePeer = peerOf(QUEUE as QueueName, load, CONNECTION);
  let remaining = 0;
  let taken: number[] = [];
  await peer.work(({ sentAt }) => {
    taken.push(Date.now() - sentAt);
    remaining -= 1;
    if (remaining === 0) process.send?.(JSON.stringify({ lastAt: Date.now(), p50: median(taken) }));
  });
  process.on('message', (count) => {
    taken = [];
    remaining = Number(count);
  });
  process.send?.('ready');
}

void serve();
