// A service of an account: it acknowledges each message at once, with an empty reply.
import { deliverySubject } from '@switchyard/messaging';
import { until } from '@switchyard/testing';
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';

async function serve(): Promise<void> {
  const { NATS_URL: url = '', NATS_ACCOUNT: id = '', NATS_SEED: seed = '' } = process.env;
  // The server loads new users after a while.
  const nats = await until(() => bareClient(url, { id, seed }));
  let bytes = 0;
  nats.subscribe(`${deliverySubject(id)}.>`, {
    callback: (_error, message) => {
      bytes = message.data.length;
      message.respond();
    },
  });
  await nats.flush();
  process.on('message', () => process.send?.(String(bytes)));
  process.send?.('ready');
}

void serve();
