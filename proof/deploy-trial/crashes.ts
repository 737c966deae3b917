import { NOW, type Trial } from './setting-up';
import { step } from './step';

/** Containers that die come back with all acknowledged data, and so does the platform after `down`. */
export async function crashes({ platform }: Trial): Promise<void> {
  for (const part of ['nats-services', 'nats-accounts']) {
    await step(`a crash of ${part}, and it speaks again`, async () => {
      await platform.crash(part);
      await platform.customer(NOW, 'service');
    });
  }
  for (const service of ['agent', 'nats', 'postgres', 'gateway']) {
    await step(`kill -9 of ${service}, and go on`, async () => {
      await platform.kill(service);
      await platform.up(NOW);
      await platform.customer(NOW, 'check');
    });
  }
  await step('down and up', async () => {
    await platform.compose(NOW, 'down');
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
    await platform.customer(NOW, 'service');
  });
}
