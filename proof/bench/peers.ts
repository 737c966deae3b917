import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface PeerPackages {
  /** Exact versions. */
  dependencies: Record<string, string>;
  overrides?: Record<string, string>;
}

const PATIENCE_MS = 300_000;

/**
 * The folder where these packages are installed, outside of the project: what we compare ourselves with is no part of
 * it. Kept for the next run. Throws when the registry cannot be reached or a package does not install.
 */
export async function installPeer(name: string, packages: PeerPackages): Promise<string> {
  const content = JSON.stringify({ name: `peer-${name}`, private: true, ...packages });
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const folder = path.join(os.tmpdir(), 'switchyard-peers', `${name}-${version}`);
  const mark = path.join(folder, 'installed');
  if (existsSync(mark)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), content);
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  writeFileSync(mark, '');
  return folder;
}

function run(command: string, args: string[], folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: PATIENCE_MS });
    let sent = '';
    child.stderr.on('data', (chunk: Buffer) => (sent = (sent + chunk.toString()).slice(-2_000)));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with code ${code}: ${sent}`));
    });
  });
}
