import { type ProcessHandle, type TestPlatform, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Fault } from './fault';
import type { Random } from './random';
import { repeatEvents } from './repeats';
import type { Wires } from './wires';

const run = promisify(execFile);

export interface Reach {
  platform: TestPlatform;
  random: Random;
  /** Without them there is no trouble on the network. */
  wires?: Wires;
}

/** How long a place in the code may stay unvisited before its turn is given up. */
const VISITED_WITHIN_MS = 60_000;

/** Brings a fault about and sees to it that what it stopped runs again. False when it found nothing to harm. */
export async function perform({ platform, random, wires }: Reach, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case 'kill':
      return kill(handleOf(platform, fault.target), 'SIGKILL');
    case 'stop':
      return kill(handleOf(platform, fault.target), 'SIGTERM');
    case 'pause':
      return pause(handleOf(platform, fault.target), fault.forMs);
    case 'failpoint':
      return visit(handleOf(platform, fault.target), fault);
    case 'freeze':
      return freeze(handleOf(platform, fault.target), fault);
    case 'network':
      if (!wires) return false;
      await wires.trouble(fault.target, fault.server, fault.trouble, fault.forMs);
      return true;
    case 'nats-away':
      await platform.server('nats').stop();
      await sleep(fault.forMs);
      await platform.server('nats').start();
      return true;
    case 'nats-wiped':
      await platform.server('nats').wipe();
      return true;
    case 'postgres-restart': {
      const postgres = platform.server('postgres');
      if (postgres.pid === null) return false;
      // SIGQUIT is Postgres' immediate stop: no checkpoint, recovery at the next start.
      await postgres.kill('SIGQUIT');
      await postgres.ready();
      return true;
    }
    case 'connections-cut':
      await query(
        platform,
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
      );
      return true;
    case 'redis-emptied':
      return emptyRedis(platform.state.redisUrl);
    case 'duplicates':
      await until(() => repeatEvents(platform, fault.rows, random), { timeoutMs: 20_000 });
      return true;
  }
}

const SERVERS = new Set(['postgres', 'nats', 'redis']);

export const handleOf = (platform: TestPlatform, name: string): ProcessHandle =>
  SERVERS.has(name) ? platform.server(name as 'postgres' | 'nats' | 'redis') : platform.service(name);

/** Postgres may be on its way back from another fault. */
const query = (platform: TestPlatform, sql: string): Promise<unknown> =>
  until(() => platform.database.query(sql), { timeoutMs: 20_000 });

async function emptyRedis(url: string): Promise<boolean> {
  const redis = new Redis(url, { maxRetriesPerRequest: 20 });
  redis.on('error', () => undefined);
  try {
    await redis.flushall();
    return true;
  } finally {
    redis.disconnect();
  }
}

async function kill(handle: ProcessHandle, signal: NodeJS.Signals): Promise<boolean> {
  if (handle.pid === null) return false;
  await handle.kill(signal);
  return true;
}

async function pause(handle: ProcessHandle, forMs: number): Promise<boolean> {
  const { pid } = handle;
  if (pid === null) return false;
  handle.pause();
  await sleep(forMs);
  // Only the process that was stopped: it may have been killed and followed by another meanwhile.
  if (handle.pid === pid) handle.resume();
  return true;
}

/** Answers with the process that was armed: it may be gone before anybody looks. */
const arm = (handle: ProcessHandle, order: () => Promise<void>): Promise<number> =>
  until(
    async () => {
      const { pid } = handle;
      if (pid !== null) await order();
      return pid;
    },
    { timeoutMs: VISITED_WITHIN_MS },
  );

async function visit(handle: ProcessHandle, fault: Extract<Fault, { kind: 'failpoint' }>): Promise<boolean> {
  const { name, action, atHit } = fault;
  const pid = await arm(handle, () => handle.arm(name, action, { atHit }));
  const isDone = async (): Promise<boolean> =>
    handle.pid !== pid || (action === 'throw' && !(await handle.armed()).includes(name));
  return until(isDone, { timeoutMs: VISITED_WITHIN_MS }).catch(() => false);
}

async function freeze(handle: ProcessHandle, fault: Extract<Fault, { kind: 'freeze' }>): Promise<boolean> {
  const { name, atHit, forMs } = fault;
  const pid = await arm(handle, () => handle.arm(name, 'pause', { atHit }));
  const isFrozen = await until(() => isStopped(pid), { timeoutMs: VISITED_WITHIN_MS }).catch(() => false);
  if (!isFrozen) return false;
  await sleep(forMs);
  if (handle.pid === pid) handle.resume();
  return true;
}

const isStopped = async (pid: number): Promise<boolean> =>
  (await run('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.startsWith('T');

export async function everythingUp(platform: TestPlatform, timeoutMs = 60_000): Promise<void> {
  for (const name of Object.keys(platform.state.pids)) await handleOf(platform, name).ready({ timeoutMs });
  await until(() => platform.database.query('select 1'), { timeoutMs });
}
