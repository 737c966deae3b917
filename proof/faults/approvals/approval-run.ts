import type { TestPlatform } from '@switchyard/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit } from '../audit';
import { killsIn } from '../chaos-run';
import { approvalMenu } from '../fault-menus';
import { planFaults } from '../fault-plan';
import { everythingUp } from '../faults';
import { History } from '../history';
import { tally } from '../tally';
import { Random } from '../random';
import { type Control, planWithout, sabotage, settingsWithout } from '../sabotage';
import { staff } from '../staff';
import { strike } from '../strike';
import type { Violation } from '../violations';
import { collectApprovals, untilApprovalsRest } from './approval-findings';
import { approvalViolations } from './approval-invariants';
import { ApprovalLoad, setApprovalScene } from './approval-load';
import { EffectsServer } from './effects-server';

export interface ApprovalOptions {
  seed: number;
  turns: number;
  faults: number;
  callers: number;
  maxMs: number;
  quietMs: number;
  wires: boolean;
  replicas: boolean;
  without?: Control;
  say: (line: string) => void;
}

export interface ApprovalReport {
  seed: number;
  turns: number;
  ends: Record<string, number>;
  decisions: Record<string, number>;
  effects: number;
  /** Calls of the key that hardly has tokens, by what became of them. */
  narrowKey: Record<string, number>;
  kills: number;
  faults: Record<string, number>;
  missed: string[];
  failedFaults: string[];
  tookMs: number;
  violations: Violation[];
}

/** Calls that need an approval, under faults: nothing takes effect unapproved, or twice, or otherwise than shown. */
export async function runApprovals(platform: TestPlatform, options: ApprovalOptions): Promise<ApprovalReport> {
  const { seed, turns, say } = options;
  const random = new Random(seed);
  const plan = planWithout(options.without) ?? planFaults(random, options.faults, turns, approvalMenu);
  const wires = await staff(platform, {
    services: ['agent', 'session', 'relay'],
    replicas: options.replicas ? ['agent-2'] : [],
    wires: options.wires,
    settings: settingsWithout(options.without),
  });
  const startedAt = Date.now();
  await audit(platform, 'session.turns');
  const server = await EffectsServer.start();
  try {
    const scene = await setApprovalScene(await platform.newSpace(), server);
    await sabotage(platform, options.without);
    const history = new History(path.join(platform.state.home, `approvals-${seed}.jsonl`));
    const load = new ApprovalLoad(scene, history, seed * 1000, { ...options, giveUpAt: startedAt + options.maxMs });
    const [, struck] = await Promise.all([
      load.run(),
      strike({ platform, random, wires }, plan, { work: load, history, say }),
    ]);
    await everythingUp(platform);
    await untilApprovalsRest(platform, scene, options.quietMs);
    const found = await collectApprovals(platform, scene, server, load.outcomes);
    history.close();
    const violations = approvalViolations(found);
    if (violations.length > 0)
      writeFileSync(path.join(platform.state.home, 'logs', `approvals-${seed}-found.json`), JSON.stringify(found));
    return {
      seed,
      turns: load.outcomes.length,
      ends: tally(load.outcomes.map(({ status }) => status)),
      decisions: tally(load.outcomes.map(({ script }) => script.decision)),
      effects: found.effects.length,
      narrowKey: load.narrow,
      kills: killsIn(struck.faults),
      faults: struck.faults,
      missed: struck.missed,
      failedFaults: struck.failed,
      tookMs: Date.now() - startedAt,
      violations,
    };
  } finally {
    server.close();
    await wires?.close();
  }
}
