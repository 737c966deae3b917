import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { until } from '@switchyard/testing';
import { freePort, isFree } from '../../../tools/launcher/ports';
import { findBinary } from '../../../tools/launcher/servers/binaries';
import { throughput } from '../measure';
import { ownDatabase } from '../own-database';
import { installPeer } from '../peers';
import { SideProcess } from '../side-process';

export type QueueName = 'bullmq' | 'pg-boss' | 'graphile-worker';

export interface Job {
  sentAt: number;
  note: string;
}

/** The common interface of the queues. */
export interface QueuePeer {
  work(done: (job: Job) => void): Promise<void>;
  open(): Promise<{ add: (job: Job) => Promise<unknown>; close: () => Promise<unknown> }>;
}

/** The newest that run on the least Node that we support. */
const PACKAGES: Record<QueueName, Record<string, string>> = {
  bullmq: { bullmq: '6.7.0', ioredis: '5.11.1' },
  'pg-boss': { 'pg-boss': '10.4.2' },
  'graphile-worker': { 'graphile-worker': '0.17.3' },
};
const WORKERS = 32;

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- packages that the project does not depend on have no types here */
const peers: Record<QueueName, (load: NodeJS.Require, connection: string) => QueuePeer> = {
  bullmq: (load, connection) => {
    const { Queue, Worker } = load('bullmq');
    const settings = { connection: { port: Number(connection), maxRetriesPerRequest: null } };
    return {
      work: async (done) => {
        const worker = new Worker(
          'bench',
          (job: { data: Job }) => {
            done(job.data);
            return Promise.resolve();
          },
          {
            ...settings,
            concurrency: WORKERS,
          },
        );
        await worker.waitUntilReady();
      },
      open: async () => {
        const queue = new Queue('bench', { ...settings, defaultJobOptions: { removeOnComplete: true } });
        await queue.waitUntilReady();
        queue.on('error', () => undefined);
        return { add: (job: Job) => queue.add('job', job), close: () => queue.close() };
      },
    };
  },
  'pg-boss': (load, connectionString) => {
    const Boss = load('pg-boss');
    const start = async (): Promise<ReturnType<typeof Boss>> => {
      const boss = new Boss({ connectionString, max: 10 });
      boss.on('error', () => undefined);
      await boss.start();
      await boss.createQueue('bench');
      return boss;
    };
    return {
      // Its least interval, and batches that keep the interval from being the limit.
      work: async (done) => {
        const boss = await start();
        await boss.work('bench', { batchSize: 500, pollingIntervalSeconds: 0.5 }, (jobs: { data: Job }[]) => {
          for (const { data } of jobs) done(data);
          return Promise.resolve();
        });
      },
      open: async () => {
        const boss = await start();
        return { add: (job: Job) => boss.send('bench', job), close: () => boss.stop({ graceful: false }) };
      },
    };
  },
  'graphile-worker': (load, connectionString) => {
    const { Logger, makeWorkerUtils, run } = load('graphile-worker');
    const logger = new Logger(() => () => undefined);
    return {
      work: async (done) => {
        await run({
          connectionString,
          logger,
          concurrency: WORKERS,
          // As its authors advise for many short jobs.
          preset: { worker: { localQueue: { size: 200 } } },
          noHandleSignals: true,
          taskList: {
            bench: (job: Job) => {
              done(job);
            },
          },
        });
      },
      open: async () => {
        const utils = await makeWorkerUtils({ connectionString });
        await utils.migrate();
        return { add: (job: Job) => utils.addJob('bench', job), close: () => utils.release() };
      },
    };
  },
};

export const peerOf = (name: QueueName, load: NodeJS.Require, connection: string): QueuePeer =>
  peers[name](load, connection);

/** A Redis of its own that has each job on the disk before it answers, as our emissions are. */
async function ownRedis(): Promise<{ connection: string; stop: () => void }> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-redis-'));
  const args = [
    '--port',
    String(port),
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  const child = spawn(findBinary('redis-server') ?? 'redis-server', args, { stdio: 'ignore' });
  await until(async () => !(await isFree(port, '127.0.0.1')));
  return {
    connection: String(port),
    stop: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function databaseOf(adminUrl: string, name: QueueName): Promise<{ connection: string; stop: () => void }> {
  const connection = await ownDatabase(adminUrl, `bench_${name.replace('-', '_')}`);
  return { connection, stop: () => undefined };
}

export interface RunningQueue {
  /** Jobs a second from the first call to the last one that was done. */
  throughput(times: number, callers: number): Promise<number>;
  /** Milliseconds from the call to the handler, one job at a time. */
  latencyMs(times: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startQueue(name: QueueName, databaseUrl: string): Promise<RunningQueue> {
  const folder = await installPeer(name, { dependencies: PACKAGES[name] });
  const store = await (name === 'bullmq' ? ownRedis() : databaseOf(databaseUrl, name));
  const { add, close } = await peerOf(name, createRequire(path.join(folder, 'package.json')), store.connection).open();
  const worker = await SideProcess.start('queue-worker', {
    PATH: process.env.PATH,
    QUEUE: name,
    FOLDER: folder,
    CONNECTION: store.connection,
  });
  const send = (): Promise<unknown> => add({ sentAt: Date.now(), note: 'x'.repeat(150) });
  const during = async (times: number, work: () => Promise<unknown>): Promise<{ lastAt: number; p50: number }> => {
    const answer = worker.ask(String(times));
    await work();
    return JSON.parse(await answer) as { lastAt: number; p50: number };
  };
  return {
    throughput: async (times, callers) => {
      const from = Date.now();
      const { lastAt } = await during(times, () => throughput(times, callers, send));
      return (times * 1000) / (lastAt - from);
    },
    latencyMs: async (times) => {
      const { p50 } = await during(times, async () => {
        for (let n = 0; n < times; n += 1) {
          await send();
          await new Promise((resolve) => setTimeout(resolve, 15));
        }
      });
      return p50;
    },
    stop: async () => {
      await close();
      await worker.end();
      store.stop();
    },
  };
}
