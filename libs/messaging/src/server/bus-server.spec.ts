import { sleep } from '@switchyard/kernel';
import type { ChunkedPayloads } from '../transport/chunked-payloads';
import type { NatsConnectionManager } from '../transport/nats-connection-manager';
import { KeyedQueue } from '../events/keyed-queue';
import { EventConsumers } from '../events/event-consumers';
import type { JetStreamConnection } from '../transport/jetstream-connection';
import type { MessageSigner } from '../signing/message-signer';
import { StreamServer } from '../streams/stream-server';
import { BusServer } from './bus-server';
import { Trials } from '../transport/trials';

jest.useFakeTimers();

const GRACE_MS = 10_000;
const log = { warn: () => undefined, error: () => undefined };
const link = {
  options: { service: 'task', instance: 'one', log },
  isUp: false,
  onUp: () => undefined,
  subscriptions: {},
};

/** A server with an unfinished stream, reply and event. */
function aBusyServer() {
  const nats = link as unknown as NatsConnectionManager;
  const chunkedPayloads = { areFetched: true } as unknown as ChunkedPayloads;
  const streams = new StreamServer(nats, chunkedPayloads);
  const trials = new Trials();
  const events = new EventConsumers(nats, { isUp: false } as JetStreamConnection, {} as MessageSigner, trials, null);
  jest.spyOn(KeyedQueue.prototype, 'idle').mockImplementation((end) => sleep(Math.max(0, end - Date.now())));
  jest.spyOn(StreamServer.prototype, 'stop').mockImplementation((graceMs) => sleep(graceMs));
  return new BusServer(nats, chunkedPayloads, {} as MessageSigner, streams, events, trials);
}

afterEach(() => jest.restoreAllMocks());

test('events, streams and calls have one grace together in a stop', async () => {
  const begun = Date.now();
  let tookMs: number | undefined;
  void aBusyServer()
    .drain(GRACE_MS)
    .then(() => (tookMs = Date.now() - begun));
  await jest.advanceTimersByTimeAsync(4 * GRACE_MS);
  expect(tookMs).toBeLessThanOrEqual(GRACE_MS + 100);
});
