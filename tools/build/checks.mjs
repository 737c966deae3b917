import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What the rules of requests, replies and settings are made of. */
const origins = [
  /^libs\/(contracts|kernel)\//,
  /^libs\/service\/src\/config\//,
  /^apps\/[^/]+\/src\/[^/]+\.config\.ts$/,
  /^tools\/prepare\//,
  /^tools\/deploy\/streams-config\.ts$/,
];

/** Compiles the checks of all declared types into dist/checks when one of their sources has changed. */
export async function buildChecks(root, files) {
  const dist = path.join(root, 'dist');
  const stampFile = path.join(dist, '.checks');
  const stamp = await stampOf(root, files);
  if ((await readFile(stampFile, 'utf8').catch(() => undefined)) === stamp) return;
  await promisify(execFile)(process.execPath, [path.join(dist, 'tools/prepare/write-checks.js')], { cwd: root });
  await writeFile(stampFile, stamp);
}

async function stampOf(root, files) {
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package-lock.json')));
  for (const [file, { hash: content }] of Object.entries(files).sort())
    if (origins.some((origin) => origin.test(file))) hash.update(`${file} ${content}\n`);
  return hash.digest('base64url');
}
