import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../launcher/project-root';
import { commandsOfImage, copiedFolders } from '../image-commands';

/* The content of the last stage of the image in a folder of its own: each program that documents name starts there. */

const image = mkdtempSync(path.join(tmpdir(), 'image-'));
const ENDS_WITHIN_MS = 120_000;

beforeAll(() => {
  for (const folder of copiedFolders())
    cpSync(path.join(projectRoot, 'dist', folder), path.join(image, 'dist', folder), { recursive: true });
  rmSync(path.join(image, 'dist/libs/testing'), { recursive: true, force: true });
  cpSync(path.join(projectRoot, 'package.json'), path.join(image, 'package.json'));
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(image, 'node_modules'));
});

afterAll(() => {
  rmSync(image, { recursive: true, force: true });
});

/** Output of the program until it ends for lack of settings, or has begun to run. */
function outputOf(command: string): Promise<string> {
  const folder = path.join(image, 'given');
  const child = spawn(process.execPath, [command, folder], { cwd: image, env: { NODE_ENV: 'production' } });
  let output = '';
  const stop = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    child.kill();
  });
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', () => {
      clearTimeout(stop);
      resolve(output);
    });
  });
}

test.each(commandsOfImage().sort())('%s starts from what the image holds', async (command) => {
  expect(await outputOf(command)).not.toMatch(/Cannot find (?:module|package)|MODULE_NOT_FOUND/);
}, 180_000);
