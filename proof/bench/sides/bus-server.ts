// Serves the same echo twice: as a call of the bus, and as a bare subscription of a client as it comes.
import { Controller } from '@nestjs/common';
import { Handles } from '@switchyard/messaging';
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';
import { startPeer } from '../../../libs/messaging/test/conformance/peer';
import { BenchCalls, type BenchEcho, bareSubject, type BenchKeys } from './echo';

@Controller()
class EchoController {
  @Handles(BenchCalls.echo) echo(data: BenchEcho): BenchEcho {
    return data;
  }
}

async function serve(): Promise<void> {
  const keys = JSON.parse(process.env.BENCH_KEYS ?? '{}') as BenchKeys;
  const peer = await startPeer({
    service: 'task',
    natsUrl: process.env.NATS_URL ?? '',
    keys,
    controllers: [EchoController],
  });
  await peer.link.nc.flush();
  const bare = await bareClient(process.env.NATS_URL ?? '');
  bare.subscribe(bareSubject, { callback: (_error, message) => void message.respond(message.data) });
  await bare.flush();
  process.send?.('ready');
}

void serve();
