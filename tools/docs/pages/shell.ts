import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Session } from './session';
import { untilMark } from './until-mark';

export interface Shell extends Session {
  /** Variables exported by the blocks so far. */
  environment(): NodeJS.ProcessEnv;
}

/** A bash that goes from block to block: functions and variables stay. */
export function openShell(folder: string, environment: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment, stdio: 'pipe' });
  // A block that ends the shell is told by its end, not by a broken pipe.
  child.stdin.on('error', () => undefined);
  const script = path.join(folder, '.block.sh');
  const exported = path.join(folder, '.environment');
  return {
    run(code) {
      const mark = randomUUID();
      writeFileSync(script, `${code}\n`);
      const outcome = untilMark(child, mark);
      child.stdin.write(
        `{ . ./.block.sh; } </dev/null; __code=$?; env -0 >.environment; printf '\\n%s %s\\n' ${mark} $__code\n`,
      );
      return outcome;
    },
    environment: () =>
      Object.fromEntries(
        readFileSync(exported, 'utf8')
          .split('\0')
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
    close: () => child.kill('SIGKILL'),
  };
}
