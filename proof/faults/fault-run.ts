import type { TestPlatform } from '@switchyard/testing';
import { isKill } from './fault';
import { type FaultMenu, type PlannedFault, planFaults } from './fault-plan';
import type { Reach } from './faults';
import { Random } from './random';
import { type Control, planWithout, settingsWithout } from './sabotage';
import { staff } from './staff';
import type { Struck } from './strike';
import type { Violation } from './violations';

export interface FaultRunOptions {
  seed: number;
  faults: number;
  callers: number;
  maxMs: number;
  quietMs: number;
  /** Trouble on the network as well: services start again with proxies before their servers. */
  wires: boolean;
  /** A second process of a service, which takes over what the first one loses. */
  replicas: boolean;
  without?: Control;
  print: (line: string) => void;
}

export interface FaultRunReport {
  seed: number;
  kills: number;
  faults: Record<string, number>;
  missed: string[];
  failedFaults: string[];
  tookMs: number;
  violations: Violation[];
}

interface Setup {
  /** The size of the work: the faults are spread over it. */
  work: number;
  menu: FaultMenu;
  services: readonly string[];
  replicas: readonly string[];
  /** Environment variables of single processes, beside those of the control. */
  settings?: (service: string) => Record<string, string>;
}

export interface FaultRun extends Reach {
  plan: readonly PlannedFault[];
  startedAt: number;
  giveUpAt: number;
}

/** Plans the faults of a run and starts its processes. */
export async function startFaultRun(
  platform: TestPlatform,
  { seed, faults, wires, replicas, without, maxMs }: FaultRunOptions,
  setup: Setup,
): Promise<FaultRun> {
  const random = new Random(seed);
  const plan = planWithout(without) ?? planFaults(random, faults, setup.work, setup.menu);
  const unguarded = settingsWithout(without);
  const reach = {
    platform,
    random,
    wires: await staff(platform, {
      services: setup.services,
      replicas: replicas ? setup.replicas : [],
      wires,
      settings: (service) => ({ ...setup.settings?.(service), ...unguarded(service) }),
    }),
  };
  const startedAt = Date.now();
  return { ...reach, plan, startedAt, giveUpAt: startedAt + maxMs };
}

/** The part that the reports of all runs have. */
export const faultReport = (
  { seed }: FaultRunOptions,
  { startedAt }: FaultRun,
  { faults, missed, failed }: Struck,
  violations: Violation[],
): FaultRunReport => ({
  seed,
  kills: Object.entries(faults).reduce((sum, [name, count]) => sum + (isKill(name) ? count : 0), 0),
  faults,
  missed,
  failedFaults: failed,
  tookMs: Date.now() - startedAt,
  violations,
});
