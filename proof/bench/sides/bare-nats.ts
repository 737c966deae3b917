// Answers requests with what the no-op route answers, over a NATS server without users.
import { bareClient } from '../../../libs/messaging/test/conformance/bare-client';

const ANSWER = Buffer.from(JSON.stringify({ success: true, message: 'Nothing done.', data: { done: false } }));

async function serve(): Promise<void> {
  const nats = await bareClient(process.env.NATS_URL ?? '');
  nats.subscribe('no-op', { callback: (_error, message) => void message.respond(ANSWER) });
  await nats.flush();
  process.send?.('ready');
}

void serve();
