import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { startTimeOf } from '../processes/process-identity';
import { StopSentence } from '../stop-sentence';
import type { Home } from './home';

/** Keeps a second launcher off the same home. A lock whose process is gone is taken over. Returns the release. */
export function lockHome(home: Home): () => void {
  const file = home.file('lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(file, `${process.pid} ${startTimeOf(process.pid)}`, { flag: 'wx' });
      return () => {
        rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const [pid, startedAt] = readLock(file);
    if (pid > 0 && startedAt !== '' && startedAt === startTimeOf(pid)) {
      throw new StopSentence(
        `Switchyard already runs on ${home.directory} (process ${pid}). Stop it first, or set SWITCHYARD_HOME and GATEWAY_PORT to run a second one.`,
      );
    }
    rmSync(file, { force: true });
  }
  throw new StopSentence(`Could not take ${file}: another start is under way on the same home.`);
}

function readLock(file: string): [number, string] {
  try {
    const [pid, startedAt] = readFileSync(file, 'utf8').split(' ');
    return [Number(pid), startedAt ?? ''];
  } catch {
    return [0, ''];
  }
}
