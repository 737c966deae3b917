import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { followLog, readable } from './log-lines';
import { sourceRootsOf } from './nest-projects';
import { watchSources } from './watch-sources';

const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-dev-'));
const ends: (() => void)[] = [];

afterAll(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let waits = 0; !isTrue(); waits += 1) {
    if (waits === 500) throw new Error('not true within ten seconds');
    await sleep(20);
  }
}

test('a service is its own sources and those of the libraries, as nest-cli.json says', () => {
  const roots = sourceRootsOf('agent', projectRoot).map((root) => path.relative(projectRoot, root));
  expect(roots[0]).toBe('apps/agent/src');
  expect(roots).toEqual(expect.arrayContaining(['libs/kernel/src', 'libs/service/src']));
  expect(roots.filter((root) => root.startsWith('apps/'))).toHaveLength(1);
  expect(() => sourceRootsOf('kernel', projectRoot)).toThrow('no application kernel');
});

test('a change of a source is told once it has settled, and one of a test is not', async () => {
  mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
  const changed: string[] = [];
  ends.push(watchSources([path.join(folder, 'src')], (file) => changed.push(file)));
  writeFileSync(path.join(folder, 'src/deep/one.spec.ts'), '1');
  writeFileSync(path.join(folder, 'src/notes.md'), '1');
  for (const text of ['1', '2', '3']) writeFileSync(path.join(folder, 'src/deep/one.ts'), text);
  await until(() => changed.length > 0);
  expect(changed).toEqual(['deep/one.ts']);
});

test('a log is told from now on, also behind the point where a new file begins', async () => {
  const file = path.join(folder, 'agent.log');
  writeFileSync(file, 'before\n');
  const sent: string[] = [];
  ends.push(followLog(file, (line) => sent.push(line)));
  writeFileSync(file, 'before\none\ntwo\n');
  await until(() => sent.length === 2);
  writeFileSync(file, 'anew\n');
  await until(() => sent.length === 3);
  expect(sent).toEqual(['one', 'two', 'anew']);
});

test('a record of the log is read like a line', () => {
  const record = {
    level: 40,
    time: '2026-11-23T05:40:06.026Z',
    service: 'agent',
    msg: 'a request failed',
    turn: 't',
    n: 1,
  };
  expect(readable(JSON.stringify(record))).toBe('05:40:06.026 warning a request failed turn=t n=1');
  expect(readable(JSON.stringify({ ...record, err: { stack: 'Error: no\n    at x' } }))).toContain(
    'Error: no\n    at x',
  );
  for (const line of ['no record', '1', 'null', '{"a":1}']) expect(readable(line)).toBe(line);
});
