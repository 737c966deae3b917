import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 120_000;

/** Runs `work` while holding the lock file. Waits for another build on this tree; a dead build's lock is taken over. */
export function withBuildLock(file, work) {
  return withLock(file, work, (_, waitedMs) => {
    if (waitedMs > patienceMs) throw new Error(`Another build holds ${file}. If none is running, delete that file.`);
  });
}

/**
 * Runs `work` while holding the lock file, which contains the ids of the processes that hold it. While one of them runs,
 * calls `onWaiting` with those that do and the time since the call; if none runs any more, the lock is taken over.
 */
export async function withLock(file, work, onWaiting) {
  const startedAt = Date.now();
  for (let holders = takeLock(file); holders !== null; holders = takeLock(file)) {
    onWaiting(holders, Date.now() - startedAt);
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Null if the lock is ours now, otherwise its holders that run; none while another process writes or replaces it. */
function takeLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return null;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holders = holdersOf(file);
  const running = holders.filter(isRunning);
  if (holders.length > 0 && running.length === 0) rmSync(file, { force: true });
  return running;
}

function holdersOf(file) {
  try {
    return readFileSync(file, 'utf8').split(' ').map(Number).filter(Boolean);
  } catch {
    return [];
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** It has ended, but its parent has not read how: in a container without an init process, that may never happen. */
function isZombie(pid) {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
