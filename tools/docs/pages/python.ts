import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BlockOutput, Session } from './session';

export const hasPython = (): boolean => spawnSync('python3', ['--version']).status === 0;

/** Each block is a program of its own, with the standard library and the variables that the shell exports. */
export function runPython(shell: Session, folder: string, code: string): Promise<BlockOutput> {
  writeFileSync(path.join(folder, '.block.py'), `${code}\n`);
  return shell.run('python3 .block.py');
}
