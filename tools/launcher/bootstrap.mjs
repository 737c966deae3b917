import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNodeVersion } from './node-version.mjs';
import { installDependencies } from './dependencies.mjs';

/** Checks Node, installs what is missing, builds, then hands over to a compiled command. */
export async function enter(command, { showsConsole = false } = {}) {
  checkNodeVersion();
  const root = path.resolve(import.meta.dirname, '../..');
  process.chdir(root);
  const code = await installDependencies(root);
  if (code !== 0) process.exit(code);
  const { build } = await import('../build/build.mjs');
  const { failures, summary, written } = await build();
  for (const failure of failures) console.error(`${failure.file}: ${failure.message}\n`);
  if (written > 0 || failures.length > 0) console.log(summary);
  if (failures.length > 0) process.exit(1);
  if (showsConsole) {
    const { buildConsole } = await import('../build/console.mjs');
    if (!(await buildConsole(root))) process.exit(1);
  }
  await import(pathToFileURL(path.join(root, 'dist', command)).href);
}
