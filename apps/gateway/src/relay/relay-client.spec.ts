import { type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ProxyCallHead, RELAY_PROXY_PATH, makeCtx, serviceCtx } from '@switchyard/contracts';
import { newEd25519 } from '@switchyard/kernel';
import { MessageSigner } from '@switchyard/messaging';
import { MuxServer, Neighbours } from '@switchyard/service';
import { GatewayConfig } from '../gateway.config';
import type { ApiRequest } from '../http/api-request';
import { DisconnectSignal } from './disconnect-signal';
import { RelayClient } from './relay-client';
import type { RelayedAnswer } from './relay-response-stream';

const REFUSED = 'HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** More than the connections that the client opens at once. */
const REFUSALS = 6;

let relay: Server;
let refusals: number;
let calls: number;
let client: RelayClient;
let neighbours: Neighbours;
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
  neighbours = new Neighbours();
  client = new RelayClient(signer, config, neighbours);
});
afterEach(async () => {
  client.onApplicationShutdown();
  await new Promise((resolve) => relay.close(resolve));
});

const sendAll = (disconnect: DisconnectSignal): Promise<RelayedAnswer> => {
  const ctx = makeCtx(serviceCtx('gateway'), { requestId: 'r', deadline: 0, answer: {} });
  const request = { headers: {}, url: '/models/v1/models?a=b', body: undefined } as unknown as ApiRequest;
  return client.send(ctx, request, 'GET', disconnect);
};
const send = async (): Promise<number> => (await sendAll(new DisconnectSignal())).head.status;

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

describe('a relay in the same process', () => {
  const heads: ProxyCallHead[] = [];
  let aborts = 0;
  let isAnswering = true;

  beforeEach(() => {
    heads.length = 0;
    aborts = 0;
    isAnswering = true;
  });

  const offer = (isOpen: boolean): void => {
    neighbours.relayProxy = {
      isOpen,
      ask: (head, _body, reader) => {
        heads.push(head);
        if (isAnswering) reader.answer({ status: 201, headers: {} }, Buffer.from('{}'));
        return { abort: () => (aborts += 1) };
      },
    };
  };

  it('is called without a connection', async () => {
    await new Promise((resolve) => relay.close(resolve));
    offer(true);
    expect([await send(), calls]).toEqual([201, 0]);
    expect(heads[0]).toMatchObject({ method: 'GET', target: 'models?a=b', ctx: { requestId: 'r' } });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  });

  it('is called over a connection while it starts or stops', async () => {
    offer(false);
    expect([await send(), calls, heads]).toEqual([200, 1, []]);
  });

  it('is told if the client leaves before the head', async () => {
    offer(true);
    isAnswering = false;
    const disconnect = new DisconnectSignal();
    const sent = sendAll(disconnect);
    disconnect.leave();
    await expect(sent).rejects.toThrow('the reader has left');
    expect(aborts).toBe(1);
  });
});
