import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExampleRecorder, OperationExample } from './recorder';

const FILE = join(__dirname, '../../src/openapi/operation-examples.json');

/** Operations that answer only under a setting of the platform: recorded by a test that changes it. */
export const SETTING_OPERATIONS: ReadonlySet<string> = new Set(['POST /api/usage/credits']);

type Examples = Record<string, OperationExample>;

/**
 * The recorded examples must be the stored ones of these operations, by operation and status. SWITCHYARD_TEST_UPDATE=1
 * stores them, and leaves those of other operations as they are.
 */
export function checkExamples({ examples, failures }: ExampleRecorder, isMeant: (name: string) => boolean): void {
  expect(failures).toEqual([]);
  const stored = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Examples) : {};
  if (process.env['SWITCHYARD_TEST_UPDATE']) {
    const others = Object.entries(stored).filter(([name]) => !isMeant(name));
    const sorted = [...others, ...Object.entries(examples)].sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    return;
  }
  const meant = Object.fromEntries(Object.entries(stored).filter(([name]) => isMeant(name)));
  expect(answersOf(examples)).toEqual(answersOf(meant));
}

const answersOf = (examples: Examples): string[] =>
  Object.entries(examples)
    .flatMap(([name, { responses }]) => Object.keys(responses).map((status) => `${name} ${status}`))
    .sort();
