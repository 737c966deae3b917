// An application that declares an event, a task that runs on it, and an emission that is safe to repeat.
import { SwitchyardClient } from '@switchyard/client';
import { key, url } from './settings';

interface Application {
  systemApiKey: string;
}

async function main(): Promise<void> {
  const client = new SwitchyardClient({ baseUrl: url, credential: key });
  const identifier = `shop-${Date.now().toString(36)}`;
  const schema = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } };
  const installed = await client.request<{ data: Application }>({
    method: 'POST',
    path: '/applications',
    body: { manifest: { identifier, name: 'Shop', version: '1.0.0', events: [{ name: 'order.paid', schema }] } },
  });

  const steps = [
    { id: 'thank', type: 'transform' as const, with: { text: 'Paid {{ execution.inputs.trigger.payload.total }}' } },
  ];
  const task = await client.tasks.create({ name: 'Say thanks', type: 'EVENT', active: true, steps });
  await client.request({
    method: 'POST',
    path: '/events/subscriptions',
    body: { appIdentifier: identifier, event: 'order.paid', taskId: task.id, filter: { total: { gte: 10 } } },
  });

  // Only the application's own key emits its events.
  const shop = new SwitchyardClient({ baseUrl: url, credential: installed.data.systemApiKey });
  const emission = {
    appIdentifier: identifier,
    event: 'order.paid',
    payload: { total: 42 },
    idempotencyKey: 'order-1',
  };
  const first = await shop.events.emit(emission);
  const again = await shop.events.emit(emission);
  console.log(`The repeat is known: ${again.duplicate && again.envelopeId === first.envelopeId}`);

  for (;;) {
    const [execution] = (await client.tasks.executions(task.id)).items;
    if (execution?.status === 'SUCCEEDED') {
      console.log(`The task ran once: ${JSON.stringify(execution.output)}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

void main();
