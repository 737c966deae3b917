import type { TestPlatform } from '@switchyard/testing';
import path from 'node:path';
import { audit } from '../audit';
import { setChatScene } from '../chat/chat-load';
import { jobMenu } from '../fault-menus';
import { faultReport, type FaultRunOptions, type FaultRunReport, startFaultRun } from '../fault-run';
import { everythingUp } from '../faults';
import { History } from '../history';
import { collectKeys } from '../keys/key-findings';
import { keyViolations } from '../keys/key-invariants';
import { LimitedKeys, setLimitedScene } from '../keys/limited-keys';
import { tally } from '../tally';
import { sabotage } from '../sabotage';
import { strike } from '../strike';
import { collectJobs, openEar, untilJobsRest, watchBusiest } from './job-findings';
import { jobViolations } from './job-invariants';
import { JobLoad } from './job-load';

export interface JobOptions extends FaultRunOptions {
  jobs: number;
}

export interface JobReport extends FaultRunReport {
  jobs: number;
  phases: Record<string, number>;
  busiest: number;
  callbacks: number;
  /** Jobs of the key with few tokens, by their end. */
  limitedKeys: Record<string, number>;
}

const LIMIT = 8;
const ASKING = 0.2;

/** Jobs under faults: each ends once, in one turn an attempt, and says so. */
export async function runJobs(platform: TestPlatform, options: JobOptions): Promise<JobReport> {
  const { seed, jobs, print } = options;
  const run = await startFaultRun(platform, options, {
    work: jobs,
    menu: jobMenu,
    services: ['job', 'agent'],
    replicas: ['job-2'],
  });
  await audit(platform, 'job.jobs');
  const space = await platform.newSpace();
  const { agentId } = await setChatScene(space);
  const limited = await setLimitedScene(platform, 'job');
  await space.owner.patch(`/spaces/${space.id}`, { settings: { jobConcurrency: LIMIT } });
  await sabotage(platform, options.without);
  const ear = await openEar();
  const scene = { client: space.owner, spaceId: space.id, agentId, callbackUrl: ear.url };
  const busiest = watchBusiest(platform, space.id);
  const history = new History(path.join(platform.state.home, `jobs-${seed}.jsonl`));
  const load = new JobLoad(scene, history, seed * 1000, {
    ...options,
    asking: options.without === 'job-fence' ? 1 : ASKING,
    giveUpAt: run.giveUpAt,
  });
  const keys = new LimitedKeys(limited, history);
  const [, , struck] = await Promise.all([
    load.run(),
    keys.run(load, run.giveUpAt),
    strike(run, run.plan, { work: load, history, print }),
  ]);
  await everythingUp(platform);
  await untilJobsRest(platform, scene, options.quietMs);
  const received = { outcomes: load.outcomes, callbacks: ear.heard, busiest: await busiest(), limit: LIMIT };
  const found = await collectJobs(platform, scene, received);
  const ofKeys = await collectKeys(platform, limited, keys, { faults: struck.faults, quietMs: options.quietMs });
  history.close();
  ear.close();
  await run.wires?.close();
  return {
    ...faultReport(options, run, struck, [...jobViolations(found), ...keyViolations(ofKeys)]),
    jobs: found.jobs.length,
    phases: tally(found.jobs.map(({ phase }) => phase)),
    limitedKeys: tally(keys.outcomes.map(({ end }) => end)),
    busiest: received.busiest,
    callbacks: ear.heard.length,
  };
}
