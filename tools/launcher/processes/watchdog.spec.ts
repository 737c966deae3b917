import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Watchdog } from './watchdog';

it('goes on if its list cannot be written, and says so once until it can', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'watchdog-'));
  const folder = path.join(directory, 'missing');
  const printed: string[] = [];
  const watchdog = new Watchdog(path.join(folder, 'processes'), (line) => printed.push(line));
  watchdog.watch([]);
  watchdog.watch([]);
  const once = [expect.stringMatching(/^warning: .* the list of them cannot be written: .*ENOENT/)];
  expect(printed).toEqual(once);

  mkdirSync(folder);
  watchdog.watch([]);
  expect(readFileSync(path.join(folder, 'processes'), 'utf8')).toBe('');
  rmSync(folder, { recursive: true });
  watchdog.watch([]);
  expect(printed).toEqual([...once, ...once]);
  watchdog.dismiss();
  rmSync(directory, { recursive: true });
});
