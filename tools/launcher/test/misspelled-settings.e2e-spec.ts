import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../project-root';

/* A misspelled setting stops npm start, the container `setup` of Compose, and a service (Kubernetes), before anything runs. */

const folder = mkdtempSync(path.join(tmpdir(), 'misspelled-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const programs = ['dist/tools/launcher/start-command.js', 'dist/tools/deploy/setup.js', 'dist/apps/key/src/main.js'];

function outputOf(program: string, settings: Record<string, string>): { status: number | null; text: string } {
  const env = { PATH: process.env.PATH, SWITCHYARD_HOME: folder, ...settings };
  const args = program.endsWith('setup.js') ? [program, folder] : [program];
  const run = spawnSync(process.execPath, args, { cwd: projectRoot, env, encoding: 'utf8', timeout: 60_000 });
  return { status: run.status, text: run.stdout + run.stderr };
}

test.each(programs)(
  '%s names the setting that was meant',
  (program) => {
    const { status, text } = outputOf(program, { TRUSTED_PROXIE: '1', LOGLEVEL: 'debug', OPENAI_API_KEY: 'sk-x' });
    expect(status).toBe(1);
    expect(text).toContain('TRUSTED_PROXIE is not a setting: did you mean TRUSTED_PROXIES?');
    expect(text).toContain('LOGLEVEL is not a setting: did you mean LOG_LEVEL?');
    expect(text).not.toContain('OPENAI_API_KEY');
  },
  120_000,
);
