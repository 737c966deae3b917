import { BEFORE, IMAGE, NOW, type Trial, upFromNothing } from './setting-up';
import { step } from './step';

/** From the release before to this version under load, back, and up again. Both give their image the same name. */
export async function upgrade(trial: Trial): Promise<void> {
  const { box, platform } = trial;
  await upFromNothing(trial, BEFORE, 'before');
  await box.run('docker', 'tag', IMAGE, `${IMAGE}-before`);
  await step('the image now', () => platform.compose(NOW, 'build'));
  const sent = await step('upgrade under load', () => platform.underLoad(NOW, () => platform.up(NOW)));
  console.log(`        answers by status, 0 without one: ${JSON.stringify(sent)}`);
  const unannounced = Object.keys(sent).filter((status) => !['0', '200', '503'].includes(status));
  if (unannounced.length > 0)
    throw new Error(`an upgrade answers with 503 or not at all, and not ${unannounced.join()}`);
  await step('all acknowledged is there', () => platform.customer(NOW, 'check'));
  await step('a service speaks NATS', () => platform.customer(NOW, 'service'));
  await box.run('docker', 'tag', IMAGE, `${IMAGE}-now`);
  await step('back to the version before', async () => {
    await box.run('docker', 'tag', `${IMAGE}-before`, IMAGE);
    await platform.up(BEFORE);
    await platform.customer(BEFORE, 'check');
  });
  await step('and up again', async () => {
    await box.run('docker', 'tag', `${IMAGE}-now`, IMAGE);
    await platform.up(NOW);
    await platform.customer(NOW, 'check');
  });
}
