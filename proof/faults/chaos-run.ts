import type { TestPlatform } from '@switchyard/testing';
import path from 'node:path';
import { projectRoot } from '../../tools/launcher/project-root';
import { audit } from './audit';
import { emissionMenu } from './fault-menus';
import { faultReport, type FaultRunOptions, type FaultRunReport, startFaultRun } from './fault-run';
import { everythingUp, perform } from './faults';
import { collect, untilQuiet } from './findings';
import { History } from './history';
import { violationsIn } from './invariants';
import { Load } from './load';
import { Random } from './random';
import { keepSentEvents, repeatedDeliveries } from './repeats';
import { sabotage, settingsWithout } from './sabotage';
import { setScene } from './scene';
import { strike } from './strike';

export interface ChaosOptions extends FaultRunOptions {
  emissions: number;
  perSecond: number;
  /** Events that arrive once more when all is done. */
  repeats: number;
}

export interface ChaosReport extends FaultRunReport {
  accepted: number;
  requests: number;
  unknown: number;
  envelopes: number;
  executions: number;
  repeatedDeliveries: number;
  quietAfterMs: number;
}

/** Emits under faults, lets everything come to rest, and holds what is there against what must be. */
export async function runChaos(platform: TestPlatform, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, emissions, print } = options;
  const run = await startFaultRun(platform, options, {
    work: emissions,
    menu: emissionMenu,
    services: ['event-bus', 'task'],
    replicas: ['task-2'],
  });
  const scene = await setScene(platform);
  if (options.replicas) await misjudgeTime(platform, 'task-2', settingsWithout(options.without)('task-2'));
  await keepSentEvents(platform);
  await audit(platform, 'task.executions');
  await sabotage(platform, options.without);
  const history = new History(path.join(platform.state.home, `chaos-${seed}.jsonl`));
  const load = new Load(scene, history, new Random(seed + 1), { ...options, giveUpAt: run.giveUpAt });
  const [, struck] = await Promise.all([load.run(), strike(run, run.plan, { work: load, history, print })]);
  await everythingUp(platform);
  const quietAfterMs = await untilQuiet(platform, scene, options.quietMs, print);
  // Before anything is sent again, which would also bring back what was lost.
  const before = violationsIn(await collect(platform, scene, history.operations));
  await perform(run, { kind: 'duplicates', rows: options.repeats });
  await untilQuiet(platform, scene, options.quietMs, print);
  await askAgain(load, history, run.random);
  const found = await collect(platform, scene, history.operations);
  history.close();
  await run.wires?.close();
  return {
    ...faultReport(options, run, struck, [...before, ...violationsIn(found)]),
    accepted: load.accepted,
    requests: history.operations.length,
    unknown: history.operations.filter(({ outcome }) => outcome === 'unknown').length,
    envelopes: found.emissions.length,
    executions: found.executions.length,
    repeatedDeliveries: await repeatedDeliveries(platform),
    quietAfterMs,
  };
}

/** As far as a clock may be off before its owner is not talked to any more. */
const CLOCK_SHIFT_MS = 20_000;

/** Starts it anew with a clock that runs ahead. Calls to it may be over before they begin: it lives on events and rows. */
async function misjudgeTime(platform: TestPlatform, name: string, settings: Record<string, string>): Promise<void> {
  const clock = `--require ${path.join(projectRoot, 'proof/faults/skewed-clock.cjs')}`;
  await platform.service(name).restart({
    ...settings,
    NODE_OPTIONS: `${settings.NODE_OPTIONS ?? ''} ${clock}`.trim(),
    SWITCHYARD_TEST_CLOCK_MS: String(CLOCK_SHIFT_MS),
  });
  await platform.service(name).ready();
}

const REPEATS = 50;

/** Keys outlive all faults: what was accepted is a duplicate now, and nothing new. */
async function askAgain(load: Load, history: History, random: Random): Promise<void> {
  const accepted = history.operations.filter(({ outcome }) => outcome === 'accepted');
  for (let i = 0; i < Math.min(REPEATS, accepted.length); i += 1) {
    const { key, payload } = random.pick(accepted);
    await load.send(key, payload);
  }
}
