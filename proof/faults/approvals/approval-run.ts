import type { TestPlatform } from '@switchyard/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit } from '../audit';
import { approvalMenu } from '../fault-menus';
import { faultReport, type FaultRunOptions, type FaultRunReport, startFaultRun } from '../fault-run';
import { everythingUp } from '../faults';
import { History } from '../history';
import { tally } from '../tally';
import { sabotage } from '../sabotage';
import { strike } from '../strike';
import { collectApprovals, untilApprovalsRest } from './approval-findings';
import { approvalViolations } from './approval-invariants';
import { ApprovalLoad, setApprovalScene } from './approval-load';
import { EffectsServer } from './effects-server';

export interface ApprovalOptions extends FaultRunOptions {
  turns: number;
}

export interface ApprovalReport extends FaultRunReport {
  turns: number;
  ends: Record<string, number>;
  decisions: Record<string, number>;
  effects: number;
  /** Calls of the key that hardly has tokens, by what became of them. */
  narrowKey: Record<string, number>;
}

/** Calls that need an approval, under faults: nothing takes effect unapproved, or twice, or otherwise than shown. */
export async function runApprovals(platform: TestPlatform, options: ApprovalOptions): Promise<ApprovalReport> {
  const { seed, turns, print } = options;
  const run = await startFaultRun(platform, options, {
    work: turns,
    menu: approvalMenu,
    services: ['agent', 'session', 'relay'],
    replicas: ['agent-2'],
  });
  await audit(platform, 'session.turns');
  const server = await EffectsServer.start();
  try {
    const scene = await setApprovalScene(await platform.newSpace(), server);
    await sabotage(platform, options.without);
    const history = new History(path.join(platform.state.home, `approvals-${seed}.jsonl`));
    const load = new ApprovalLoad(scene, history, seed * 1000, { ...options, giveUpAt: run.giveUpAt });
    const [, struck] = await Promise.all([load.run(), strike(run, run.plan, { work: load, history, print })]);
    await everythingUp(platform);
    await untilApprovalsRest(platform, scene, options.quietMs);
    const found = await collectApprovals(platform, scene, server, load.outcomes);
    history.close();
    const violations = approvalViolations(found);
    if (violations.length > 0)
      writeFileSync(path.join(platform.state.home, 'logs', `approvals-${seed}-found.json`), JSON.stringify(found));
    return {
      ...faultReport(options, run, struck, violations),
      turns: load.outcomes.length,
      ends: tally(load.outcomes.map(({ status }) => status)),
      decisions: tally(load.outcomes.map(({ script }) => script.decision)),
      effects: found.effects.length,
      narrowKey: load.narrow,
    };
  } finally {
    server.close();
    await run.wires?.close();
  }
}
