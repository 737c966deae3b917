import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { giveWay } from './give-way';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const running = new Set<ChildProcess>();

// A launcher that ends in the middle of a step takes the step with it.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** It does not outlive this process. */
export function endsWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

export interface Running extends SpawnOptionsWithoutStdio {
  input?: string;
  /** Leaves most of the processors to others who want them. */
  givesWay?: boolean;
}

/** Runs a command to its end. Never rejects: a command that cannot be started has code 127. */
export function runToEnd(command: string, args: string[], options: Running = {}): Promise<Outcome> {
  const { input = '', givesWay = false, ...spawnOptions } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions, stdio: 'pipe' });
    endsWithUs(child);
    if (givesWay) giveWay(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const finish = (code: number): void => {
      resolve({ code, ...output });
    };
    child.once('error', (error) => {
      output.stderr += error.message;
      finish(127);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}
