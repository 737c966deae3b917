import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { transformSync } from '@swc/core';
import { projectRoot } from '../../launcher/project-root';
import type { BlockOutput } from './session';
import type { HostMessage } from './script-host';
import { untilMark } from './until-mark';

export interface Script {
  /** Runs the next block, with the environment that the shell has by now. */
  next(environment: NodeJS.ProcessEnv): Promise<BlockOutput>;
  close(): void;
}

/**
 * The TypeScript of a page as one program that stops before each block: what one declares, the next ones use, as if
 * the page were a file.
 */
export function openScript(blocks: string[], environment: NodeJS.ProcessEnv): Script {
  const source = blocks.map((code) => `await step();\n${code}\n`).join(';\n');
  const { code } = transformSync(source, {
    filename: 'page.ts',
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs', ignoreDynamic: true },
  });
  const host = path.join(projectRoot, 'dist/tools/docs/pages/script-host.js');
  const child = fork(host, { cwd: projectRoot, env: environment, silent: true });
  const send = (message: HostMessage): void => void child.send(message);
  send({ code });
  return {
    next(environment) {
      const mark = randomUUID();
      const outcome = untilMark(child, mark);
      send({ mark, environment });
      return outcome;
    },
    close: () => child.kill('SIGKILL'),
  };
}
