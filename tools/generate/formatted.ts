import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runToEnd } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';

/** The text of a file with this name as the project formats it. */
export const formatted = (name: string, text: string): Promise<string> =>
  inFolder(async (folder) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const formatter = join(dirname(require.resolve('oxfmt/package.json')), 'bin/oxfmt');
    await runScript(formatter, ['--config', join(projectRoot, '.oxfmtrc.json'), file]);
    return readFileSync(file, 'utf8');
  });

export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function runScript(script: string, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runToEnd(process.execPath, [script, ...args]);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stdout}${stderr}`);
}
