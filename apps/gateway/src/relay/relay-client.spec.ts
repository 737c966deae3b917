import { type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RELAY_PROXY_PATH, makeCtx, serviceCtx } from '@switchyard/contracts';
import { newEd25519 } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { MuxServer } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import type { ApiRequest } from '../http/api-request';
import { DisconnectSignal } from './disconnect-signal';
import { RelayClient } from './relay-client';

const REFUSED = 'HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** More than the connections that the client opens at once. */
const REFUSALS = 6;

let relay: Server;
let refusals: number;
let calls: number;
let client: RelayClient;
const mux = new MuxServer((call) => {
  calls += 1;
  call.answerWhole(JSON.stringify({ status: 200, headers: {} }), Buffer.from('{}'));
});

beforeEach(async () => {
  refusals = 0;
  calls = 0;
  relay = createServer((_request, response) => response.writeHead(404).end());
  relay.on('upgrade', (request, socket: Socket, head) => {
    if (request.url === RELAY_PROXY_PATH && refusals === 0) mux.accept(request, socket, head);
    else {
      refusals -= 1;
      socket.end(REFUSED);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const pair = newEd25519();
  const signer = new MessageSigner('gateway', pair.privateKey, { gateway: pair.publicKey, relay: pair.publicKey });
  const config = new GatewayConfig();
  config.INTERNAL_URLS = { relay: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` };
  client = new RelayClient(signer, config);
});
afterEach(async () => {
  client.onApplicationShutdown();
  await new Promise((resolve) => relay.close(resolve));
});

const send = async (): Promise<number> => {
  const ctx = makeCtx(serviceCtx('gateway'), { requestId: 'r', deadline: 0, answer: {} });
  const request = { headers: {}, url: '/models/v1/models', body: undefined } as unknown as ApiRequest;
  return (await client.send(ctx, request, 'GET', new DisconnectSignal())).head.status;
};

describe('the client of the relay', () => {
  it('connects again after a stopping relay has refused, and sends the call once', async () => {
    refusals = REFUSALS;
    expect([await send(), calls]).toEqual([200, 1]);
  });

  it('answers 503 if the relay refuses for two seconds', async () => {
    refusals = Infinity;
    await expect(send()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toBe(0);
  });

  it('answers 503 at once if no relay listens', async () => {
    await new Promise((resolve) => relay.close(resolve));
    await expect(send()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  });
});
