import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePlatform } from '@switchyard/testing';
import { ExampleRecorder, type OperationExample } from './recorder';
import { runStory } from './story';

const platform = usePlatform();
const FILE = join(__dirname, '../../src/openapi/operation-examples.json');

const stored = (): Record<string, OperationExample> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>) : {};

/** SWITCHYARD_TEST_UPDATE=1 records the examples of the OpenAPI document anew. */
test('the operations of the OpenAPI document answer the examples as recorded', async () => {
  const recorder = new ExampleRecorder();
  await runStory({ platform, recorder });
  const { examples } = recorder;
  expect(recorder.failures).toEqual([]);
  if (process.env['SWITCHYARD_TEST_UPDATE']) {
    const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  const answers = (of: Record<string, OperationExample>): string[] =>
    Object.entries(of).flatMap(([name, { responses }]) => Object.keys(responses).map((status) => `${name} ${status}`));
  expect(answers(examples).sort()).toEqual(answers(stored()).sort());
}, 180_000);
