import { usePlatform } from '@switchyard/testing';
import { ExampleRecorder } from './recorder';
import { SETTING_OPERATIONS, checkExamples } from './stored-examples';

const platform = usePlatform();

/** The rule holds for the whole platform, so this needs a platform without other tests. */
async function restartRelay(mayCredit: string): Promise<void> {
  await platform.service('relay').restart({ SPACE_OWNERS_MAY_CREDIT: mayCredit });
  await platform.service('relay').ready();
}

beforeAll(() => restartRelay('true'), 120_000);
afterAll(() => restartRelay(''), 120_000);

test('an OWNER credits tokens as recorded, if the platform allows it', async () => {
  const recorder = new ExampleRecorder();
  const { owner } = await platform.newSpace('Shop');
  await recorder.call(owner, 'POST /api/usage/credits', {}, { tokens: 500_000, note: 'Invoice 17' });
  checkExamples(recorder, (name) => SETTING_OPERATIONS.has(name));
}, 120_000);
