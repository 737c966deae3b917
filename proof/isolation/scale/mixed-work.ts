import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPlatform } from '@switchyard/testing';
import { collectChat, untilTurnsRest } from '../../faults/chat/chat-findings';
import { chatViolations } from '../../faults/chat/chat-invariants';
import { ChatLoad, setChatScene } from '../../faults/chat/chat-load';
import { collect, untilQuiet } from '../../faults/findings';
import { History } from '../../faults/history';
import { violationsIn } from '../../faults/invariants';
import { collectJobs, openEar, untilJobsRest, watchBusiest } from '../../faults/jobs/job-findings';
import { jobViolations } from '../../faults/jobs/job-invariants';
import { JobLoad } from '../../faults/jobs/job-load';
import { Load } from '../../faults/load';
import { Random } from '../../faults/random';
import { setScene } from '../../faults/scene';
import { inParallel } from './figures';

const QUIET_MS = 120_000;
const JOBS_AT_ONCE = 8;
const WORKERS = 8;
const PATIENCE_MS = 5_000;

export interface MixedWork {
  name: string;
  /** Turns; of the rest there is a multiple of it. */
  count: number;
  seed: number;
  maxMs: number;
  /** Faults during the work; afterwards everything is up again. */
  disturb?: (signal: AbortSignal) => Promise<void>;
}

export interface MixedReport {
  seconds: number;
  /** Turns, emissions with two runs each, jobs and records, all in all. */
  done: number;
  broken: string[];
}

/** Turns, emissions with runs, jobs and records side by side; and whether all that was accepted is there, once. */
export async function mixedWork(platform: TestPlatform, work: MixedWork, print: (line: string) => void) {
  const { count, seed, maxMs, disturb } = work;
  const emitting = await setScene(platform);
  const chatting = await setChatScene(await platform.newSpace());
  const jobSpace = await platform.newSpace();
  const { agentId } = await setChatScene(jobSpace);
  await jobSpace.owner.patch(`/spaces/${jobSpace.id}`, { settings: { jobConcurrency: JOBS_AT_ONCE } });
  const ear = await openEar();
  const jobScene = { client: jobSpace.owner, spaceId: jobSpace.id, agentId, callbackUrl: ear.url };
  const busiest = watchBusiest(platform, jobSpace.id);
  const history = new History(path.join(platform.state.home, `replicas-${work.name}.jsonl`));
  const startedAt = Date.now();
  const giveUpAt = startedAt + maxMs;
  const random = new Random(seed);
  const emissions = new Load(emitting, history, random, {
    emissions: 10 * count,
    callers: 8,
    perSecond: 1e6,
    giveUpAt,
  });
  const turns = new ChatLoad(chatting, history, seed * 1000, { turns: count, callers: 8, giveUpAt });
  const jobCount = Math.ceil(count / 4);
  const jobs = new JobLoad(jobScene, history, seed * 1000, { jobs: jobCount, callers: 4, giveUpAt, asking: 0.2 });
  const records = await recordsOf(platform, 5 * count, giveUpAt);
  const over = new AbortController();
  const disturbed = disturb?.(over.signal);
  await Promise.all([emissions.run(), turns.run(), jobs.run(), records.write()]);
  over.abort();
  await disturbed;
  const written = await records.written();
  await untilQuiet(platform, emitting, QUIET_MS, () => undefined);
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  await untilTurnsRest(platform, chatting, QUIET_MS);
  await untilJobsRest(platform, jobScene, QUIET_MS);
  const sent = {
    outcomes: jobs.outcomes,
    callbacks: ear.heard,
    busiest: await busiest(),
    limit: JOBS_AT_ONCE,
  };
  const violations = [
    ...violationsIn(await collect(platform, emitting, history.operations)),
    ...chatViolations(await collectChat(platform, chatting, turns.outcomes)),
    ...jobViolations(await collectJobs(platform, jobScene, sent)),
  ].map(({ rule, detail }) => `${work.name}: ${rule}: ${detail}`);
  history.close();
  ear.close();
  const requested = 10 * count + count + jobCount + 5 * count;
  const done = emissions.accepted + turns.outcomes.length + jobs.outcomes.length + written.there;
  print(`${work.name}: ${done} pieces of work in ${seconds} s, ${violations.length} violations`);
  const undone = done < requested ? [`${work.name}: ${requested - done} pieces of work were not done in time`] : [];
  return { seconds, done, broken: [...violations, ...undone, ...written.broken] } satisfies MixedReport;
}

/** Each is sent under a key of its own until it is answered, and must be there once. */
async function recordsOf(platform: TestPlatform, count: number, giveUpAt: number) {
  const { owner } = await platform.newSpace();
  const schema = { fields: [{ name: 'n', type: 'integer' }] };
  const made = await owner.post('/datasets', { name: 'Notes', schema });
  const datasetId = (made.body as { data: { id: string } }).data.id;
  let accepted = 0;
  const insert = async (n: number): Promise<void> => {
    while (Date.now() < giveUpAt) {
      const options = { headers: { 'idempotency-key': `n-${n}` }, signal: AbortSignal.timeout(PATIENCE_MS) };
      const path = `/datasets/${datasetId}/data/insert`;
      const reply = await owner.post(path, { records: [{ n }] }, options).catch(() => null);
      if (reply?.status === 200) {
        accepted += 1;
        return;
      }
      await sleep(200);
    }
  };
  return {
    write: (): Promise<void> => inParallel(count, WORKERS, insert, () => Date.now() > giveUpAt),
    written: async () => {
      const reply = await owner.post(`/datasets/${datasetId}/data/count`, {});
      const { count: there } = (reply.body as { data: { count: number } }).data;
      return {
        there,
        broken: there === accepted ? [] : [`${accepted} records were acknowledged, ${there} are there`],
      };
    },
  };
}
