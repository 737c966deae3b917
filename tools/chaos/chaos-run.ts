import { type TestPlatform } from '@switchyard/testing';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, planFaults } from './fault-plan';
import { everythingUp, keepSentEvents, perform, repeatedDeliveries } from './faults';
import { collect, untilQuiet } from './findings';
import { History } from './history';
import { type Violation, violationsIn } from './invariants';
import { Load } from './load';
import { Random } from './random';
import { type Control, sabotage } from './sabotage';
import { setScene } from './scene';

export interface ChaosOptions {
  seed: number;
  emissions: number;
  faults: number;
  callers: number;
  perSecond: number;
  maxMs: number;
  quietMs: number;
  /** Events that arrive once more when all is done. */
  repeats: number;
  without?: Control;
  say: (line: string) => void;
}

export interface ChaosReport {
  seed: number;
  accepted: number;
  requests: number;
  unknown: number;
  envelopes: number;
  executions: number;
  faults: Record<string, number>;
  repeatedDeliveries: number;
  quietAfterMs: number;
  tookMs: number;
  violations: Violation[];
}

const nameOf = (fault: Fault): string => ('target' in fault ? `${fault.kind} ${fault.target}` : fault.kind);

/** Emits under faults, lets everything come to rest, and holds what is there against what must be. */
export async function runChaos(platform: TestPlatform, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, emissions, say } = options;
  const startedAt = Date.now();
  const random = new Random(seed);
  const plan = planFaults(random, options.faults, emissions);
  const scene = await setScene(platform);
  await keepSentEvents(platform);
  if (options.without) await sabotage(platform, options.without);
  const history = new History(path.join(platform.state.home, `chaos-${seed}.jsonl`));
  const load = new Load(scene, history, new Random(seed + 1), { ...options, giveUpAt: startedAt + options.maxMs });
  const done: Record<string, number> = {};
  const strike = async (): Promise<void> => {
    for (const { afterAccepted, fault } of plan) {
      while (load.accepted < afterAccepted && !load.isOver) await sleep(20);
      if (load.isOver) return;
      say(`  ${String(load.accepted).padStart(6)} accepted: ${JSON.stringify(fault)}`);
      history.note({ fault, at: Date.now() });
      try {
        await perform(platform, fault, random);
        done[nameOf(fault)] = (done[nameOf(fault)] ?? 0) + 1;
      } catch (error) {
        say(`  the fault did not work: ${String(error)}`);
      }
    }
  };
  await Promise.all([load.run(), strike()]);
  await everythingUp(platform);
  const quietAfterMs = await untilQuiet(platform, scene, options.quietMs, say);
  await perform(platform, { kind: 'duplicates', rows: options.repeats }, random);
  await untilQuiet(platform, scene, options.quietMs, say);
  await askAgain(load, history, random);
  const found = await collect(platform, scene, history.operations);
  history.close();
  return {
    seed,
    accepted: load.accepted,
    requests: history.operations.length,
    unknown: history.operations.filter(({ outcome }) => outcome === 'unknown').length,
    envelopes: found.emissions.length,
    executions: found.executions.length,
    faults: done,
    repeatedDeliveries: await repeatedDeliveries(platform),
    quietAfterMs,
    tookMs: Date.now() - startedAt,
    violations: violationsIn(found),
  };
}

const ASKED_AGAIN = 50;

/** Keys outlive all faults: what was accepted is a duplicate now, and nothing new. */
async function askAgain(load: Load, history: History, random: Random): Promise<void> {
  const accepted = history.operations.filter(({ outcome }) => outcome === 'accepted');
  for (let i = 0; i < Math.min(ASKED_AGAIN, accepted.length); i += 1) {
    const { key, payload } = random.pick(accepted);
    await load.send(key, payload);
  }
}
