import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

const lines = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '');

/** The commit that this branch left the main branch at; HEAD where there is no main branch. */
function base(): string {
  for (const main of ['origin/main', 'main'])
    try {
      return lines('merge-base', 'HEAD', main)[0] ?? 'HEAD';
    } catch {
      // No such branch in this clone.
    }
  return 'HEAD';
}

/** Files that are not as in the main branch, committed or not. Deleted ones are left out. */
export function changedFiles(): string[] {
  const changed = [...lines('diff', '--name-only', base()), ...lines('ls-files', '--others', '--exclude-standard')];
  return [...new Set(changed)].filter((file) => existsSync(path.join(projectRoot, file)));
}
