import { usePlatform } from '@switchyard/testing';
import { ExampleRecorder } from './recorder';
import { SETTING_OPERATIONS, checkExamples } from './stored-examples';
import { runStory } from './story';

const platform = usePlatform();

/** SWITCHYARD_TEST_UPDATE=1 records the examples of the OpenAPI document again. */
test('the operations of the OpenAPI document answer the examples as recorded', async () => {
  const recorder = new ExampleRecorder();
  await runStory({ platform, recorder });
  checkExamples(recorder, (name) => !SETTING_OPERATIONS.has(name));
}, 180_000);
