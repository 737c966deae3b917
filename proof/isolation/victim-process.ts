import { TestPlatform } from '@switchyard/testing';
import { Victim } from './victim';

/** The victim in a process of its own: what the attacker's side of this machine does must not show in its times. */
async function work(): Promise<void> {
  const victim = await Victim.prepare(new TestPlatform());
  process.on('message', (order: 'start' | 'stop') => {
    if (order === 'start') victim.start();
    else void victim.stop().then((report) => process.send?.(report));
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}

work().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
