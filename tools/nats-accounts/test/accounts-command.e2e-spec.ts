import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { usePlatform } from '@switchyard/testing';
import { projectRoot } from '../../launcher/project-root';

const platform = usePlatform();
const folder = mkdtempSync(path.join(os.tmpdir(), 'accounts-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const script = path.join(projectRoot, 'dist/tools/nats-accounts/nats-accounts-command.js');

describe('npm run nats-accounts', () => {
  it('makes, lists, rotates and revokes an account of the Space of its credential', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    const env = { ...process.env, SWITCHYARD_URL: key.host, SWITCHYARD_KEY: key.credential };
    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(process.execPath, [script, ...args], { env })).stdout;
    const out = path.join(folder, 'seed');
    const created = await run('create', '--name', 'billing', '--scopes', 'events:emit', '--out', out);
    expect(readFileSync(out, 'utf8')).toMatch(/^SU[A-Z2-7]{56}\n$/);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    // The letters alone also occur in public keys.
    expect(created).not.toMatch(/SU[A-Z2-7]{56}/);
    await expect(run('rotate', 'billing', '--out', out)).rejects.toThrow('EEXIST');
    expect(await run('list')).toMatch(/^billing\t[A-Za-z0-9]{22}\tMEMBER\tACTIVE\n$/);
    expect(await run('rotate', 'billing')).toMatch(/Seed, shown this once: SU/);
    expect(await run('revoke', 'billing')).toBe('billing: REVOKED\n');
    await expect(run('revoke', 'billing')).rejects.toThrow('no active account');
  });
});
