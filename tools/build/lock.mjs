import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 120_000;

/** Runs `work` while holding the lock file. Waits for another build on this tree; a dead build's lock is taken over. */
export async function withBuildLock(file, work) {
  const deadline = Date.now() + patienceMs;
  while (!(await tryLock(file))) {
    if (Date.now() > deadline) throw new Error(`Another build holds ${file}. If none is running, delete that file.`);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryLock(file) {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(file, 'utf8').catch(() => '0'));
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
