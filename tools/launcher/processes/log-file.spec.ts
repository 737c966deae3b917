import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LogFiles } from './log-file';

const mebibyte = 1024 * 1024;

describe('log files', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-files-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function fill(logs: LogFiles): void {
    for (let line = 0; line < 21; line += 1) logs.write('x'.repeat(mebibyte));
  }

  it('begin a new file past 20 MiB', () => {
    const file = join(folder, 'gateway.log');
    const logs = new LogFiles(file);
    fill(logs);
    logs.write('after');
    logs.close();
    expect(statSync(`${file}.1`).size).toBeGreaterThan(20 * mebibyte);
    expect(readFileSync(file, 'utf8').slice(-6)).toBe('after\n');
  });

  it('go on in the old file if it cannot be renamed, and write to no other', () => {
    const file = join(folder, 'gateway.log');
    mkdirSync(`${file}.1`);
    const logs = new LogFiles(file);
    fill(logs);
    const other = new LogFiles(join(folder, 'other.log'));
    other.write('first');
    logs.write('after');
    logs.close();
    other.write('second');
    other.close();
    expect(readFileSync(join(folder, 'other.log'), 'utf8')).toBe('first\nsecond\n');
    expect(readFileSync(file, 'utf8').slice(-6)).toBe('after\n');
  });

  it('take no line after they are closed', () => {
    const logs = new LogFiles(join(folder, 'gateway.log'));
    logs.write('before');
    logs.close();
    const other = new LogFiles(join(folder, 'other.log'));
    other.write('first');
    logs.write('late');
    logs.close();
    other.close();
    expect(readFileSync(join(folder, 'other.log'), 'utf8')).toBe('first\n');
  });
});
