import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { natsSubject, serviceCtx } from '@switchyard/contracts';
import { MessageSigner } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import { type NatsConnection, connect } from 'nats';
import { addressOf, packEnvelope } from '../../src/signing/envelope';
import { Calls } from './contracts';
import { Server } from './handlers';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job']);
const ctx = serviceCtx('job');
const request = { name: 'a-name', password: 'hunter-22-in-the-clear', held: [{ name: 'one', value: 'value-of-one' }] };
const reply = { name: 'a-name', token: 'hunter-22-in-the-clear came', held: request.held };
const secrets = ['hunter-22', 'value-of-one'];

let nats: NatsProcess;
let server: Peer;
let caller: Peer;
let spy: NatsConnection;
const received: string[] = [];
/** Bodies received on the internal port. */
const bodies: string[] = [];
const port = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    bodies.push(body.toString());
    void server.server.answerOffline(Calls.handOver.subject, body).then((answer) => {
      bodies.push(Buffer.from(answer ?? []).toString());
      response.end(answer);
    });
  });
});

beforeAll(async () => {
  nats = await NatsProcess.start();
  await new Promise<void>((resolve) => port.listen(0, '127.0.0.1', resolve));
  const internalUrls = { task: `http://127.0.0.1:${(port.address() as AddressInfo).port}` };
  server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
  caller = await startPeer({ service: 'job', natsUrl: nats.url, keys, internalUrls });
  spy = await connect({ servers: nats.url });
  spy.subscribe('>', { callback: (_, message) => received.push(Buffer.from(message.data).toString()) });
  await spy.flush();
});

afterAll(async () => {
  await spy.close();
  await caller.stop();
  await server.stop();
  port.close().closeAllConnections();
  await nats.remove();
});

const leaked = (texts: readonly string[]): string[] => secrets.filter((secret) => texts.join().includes(secret));

test('secret fields arrive there and back, and are in no message of the bus', async () => {
  received.length = 0;
  expect(await caller.bus.call(Calls.handOver, ctx, request)).toEqual(reply);
  expect(JSON.parse((await caller.bus.callForJson(Calls.handOver, ctx, request)).toString())).toEqual(reply);
  await until(() => received.filter((text) => text.includes('a-name')).length >= 4);
  expect(leaked(received)).toEqual([]);
});

test('what a caller gave stays as it is', async () => {
  const given = structuredClone(request);
  await caller.bus.call(Calls.handOver, ctx, given);
  expect(given).toEqual(request);
});

test('a caller of the version before is understood, and gets an answer that it understands', async () => {
  const encrypter = new MessageSigner('job', keys.privateKeys['job'] ?? '', keys.publicKeys);
  const address = addressOf(Calls.handOver);
  const envelope = packEnvelope({
    sealer: encrypter,
    source: 'job',
    address,
    ctx,
    deadline: Date.now() + 5_000,
    data: request,
  });
  const answer = await spy.request(natsSubject(Calls.handOver), envelope, { timeout: 5_000 });
  expect(answer.json()).toEqual({ data: reply });
});

test('the encrypted fields of one request are those of no other', async () => {
  received.length = 0;
  await caller.bus.call(Calls.handOver, ctx, request);
  await until(() => received.some((text) => text.includes('"name":"task.hand-over"')));
  const text = received.find((each) => each.includes('"name":"task.hand-over"')) ?? '';
  const { secret } = JSON.parse(text) as { secret: string };
  const encrypter = new MessageSigner('job', keys.privateKeys['job'] ?? '', keys.publicKeys);
  const address = addressOf(Calls.handOver);
  const data = { name: 'another' };
  const again = packEnvelope({
    sealer: encrypter,
    source: 'job',
    address,
    ctx,
    deadline: Date.now() + 5_000,
    data,
    secret,
  });
  const answer = await spy.request(natsSubject(Calls.handOver), again, { timeout: 5_000 });
  expect(answer.json()).toMatchObject({ error: { code: 'FORBIDDEN' } });
});

test('while NATS is away they are encrypted over HTTP as well', async () => {
  await nats.kill();
  await until(() => !caller.link.isUp);
  expect(await caller.bus.call(Calls.handOver, ctx, request)).toEqual(reply);
  expect(bodies).toHaveLength(2);
  expect(leaked(bodies)).toEqual([]);
  await nats.start();
});
