import { type Running, runToEnd } from '../../tools/launcher/processes/transient';

const SHOWN_LINES = 40;

/** Runs a command to its end, and fails with its last lines where it does. */
export async function must(command: readonly string[], options: Running = {}): Promise<string> {
  const [file = '', ...args] = command;
  const { code, stdout, stderr } = await runToEnd(file, args, options);
  if (code === 0) return stdout;
  const text = `${stdout}\n${stderr}`.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`${command.join(' ').slice(0, 200)} ended with ${code}:\n${text}`);
}
