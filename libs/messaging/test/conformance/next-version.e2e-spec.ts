import { CONTRACTS_VERSION, natsSubject, serviceCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { type NatsConnection, connect } from 'nats';
import { addressOf, sealEnvelope } from '../../src/signing/envelope';
import { Calls } from './contracts';
import { Server } from './handlers';
import { NatsProcess } from './nats-process';
import { type Peer, makeKeys, startPeer } from './peer';

const keys = makeKeys(['task', 'job']);
let nats: NatsProcess;
let server: Peer;
let sender: NatsConnection;

beforeAll(async () => {
  nats = await NatsProcess.start();
  server = await startPeer({ service: 'task', natsUrl: nats.url, keys, controllers: [Server] });
  sender = await connect({ servers: nats.url });
});

afterAll(async () => {
  await sender.close();
  await server.stop();
  await nats.remove();
});

async function send(version: number, data: object): Promise<unknown> {
  const encrypter = new MessageSigner('job', keys.privateKeys['job'] ?? '', keys.publicKeys);
  const envelope = sealEnvelope(encrypter, addressOf(Calls.echo), {
    id: newId(),
    name: Calls.echo.subject,
    version,
    source: 'job',
    at: new Date().toISOString(),
    deadline: Date.now() + 30_000,
    ctx: serviceCtx('job'),
    data,
  });
  const answer = await sender.request(natsSubject(Calls.echo), envelope, { timeout: 30_000 });
  return answer.json();
}

const refused = { error: { code: 'VALIDATION_ERROR', message: 'added is not a known field.' } };

test('ignores unknown fields of the next version', async () => {
  expect(await send(CONTRACTS_VERSION + 1, { text: 'a', added: 1 })).toEqual({ data: { text: 'a' } });
});

test('refuses unknown fields of the same version, and of versions after the next', async () => {
  expect(await send(CONTRACTS_VERSION, { text: 'a', added: 1 })).toMatchObject(refused);
  expect(await send(CONTRACTS_VERSION + 2, { text: 'a', added: 1 })).toMatchObject(refused);
});

test('refuses a known field with a wrong value of any version', async () => {
  expect(await send(CONTRACTS_VERSION + 1, { text: 1, added: 1 })).toMatchObject({
    error: { code: 'VALIDATION_ERROR', message: 'text must be a string.' },
  });
});

test('accepts a message of the version before', async () => {
  expect(await send(CONTRACTS_VERSION - 1, { text: 'a' })).toEqual({ data: { text: 'a' } });
});
