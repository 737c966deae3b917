import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UnsteadyList } from './unsteady-list';

describe('the list of unsteady test files', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-unsteady-'));
  const field = path.join(folder, 'list.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('takes a file with its reason the first time, and names it the second time', () => {
    expect(new UnsteadyList(field).note({ 'a.spec.ts': 'a test timed out' }, '2026-01-01')).toEqual([]);
    const entry = { file: 'a.spec.ts', since: '2026-01-01', reason: 'a test timed out' };
    expect(JSON.parse(readFileSync(field, 'utf8'))).toEqual([entry]);
    const next = new UnsteadyList(field);
    expect(next.note({ 'a.spec.ts': 'again', 'b.spec.ts': 'another' }, '2026-01-02')).toEqual([entry]);
    expect(JSON.parse(readFileSync(field, 'utf8'))).toHaveLength(2);
  });

  it('stays as it is when nothing was unsteady', () => {
    const before = readFileSync(field, 'utf8');
    expect(new UnsteadyList(field).note({})).toEqual([]);
    expect(readFileSync(field, 'utf8')).toBe(before);
  });
});
