import type { ChildProcess } from 'node:child_process';
import type { BlockOutput } from './session';

const PATIENCE_MS = 30_000;

/**
 * Collects what a child prints until it prints a line that begins with the mark; what follows it there is 0 when all
 * went well. A child that ends before, or takes too long, has failed.
 */
export function untilMark(child: ChildProcess, mark: string): Promise<BlockOutput> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('the child must speak through pipes');
  return new Promise((resolve) => {
    let printed = '';
    let complaints = '';
    const finish = (isDone: boolean, complaint = ''): void => {
      clearTimeout(timer);
      stdout.off('data', onData);
      stderr.off('data', complain);
      child.off('close', leave);
      resolve({ printed, complaints: complaints + complaint, isDone });
    };
    const onData = (chunk: Buffer): void => {
      printed += chunk.toString('utf8');
      const at = printed.indexOf(`\n${mark} `);
      if (at < 0 || !printed.endsWith('\n')) return;
      const code = printed.slice(at + mark.length + 2).trim();
      printed = printed.slice(0, at);
      finish(code === '0');
    };
    const complain = (chunk: Buffer): void => void (complaints += chunk.toString('utf8'));
    const leave = (): void => finish(false, 'the interpreter ended');
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(false, `no end after ${PATIENCE_MS} ms`);
    }, PATIENCE_MS);
    stdout.on('data', onData);
    stderr.on('data', complain);
    child.on('close', leave);
  });
}
