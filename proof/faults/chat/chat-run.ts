import type { TestPlatform } from '@switchyard/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit } from '../audit';
import { chatMenu } from '../fault-menus';
import { faultReport, type FaultRunOptions, type FaultRunReport, startFaultRun } from '../fault-run';
import { everythingUp } from '../faults';
import { History } from '../history';
import { collectKeys } from '../keys/key-findings';
import { keyViolations } from '../keys/key-invariants';
import { LimitedKeys, setLimitedScene } from '../keys/limited-keys';
import { tally } from '../tally';
import { sabotage } from '../sabotage';
import { strike } from '../strike';
import { collectChat, untilTurnsRest } from './chat-findings';
import { type ChatFound, chatViolations } from './chat-invariants';
import { ChatLoad, setChatScene } from './chat-load';

export interface ChatOptions extends FaultRunOptions {
  turns: number;
}

export interface ChatReport extends FaultRunReport {
  turns: number;
  /** By status, and those among them that some agent had to take over. */
  ends: Record<string, number>;
  recovered: { turns: number; completed: number };
  failures: Record<string, number>;
  frames: number;
  connections: number;
  expired: number;
  upstreamCalls: number;
  debits: number;
  /** Calls of the key with few tokens, by their end. */
  limitedKeys: Record<string, number>;
  quietAfterMs: number;
}

/** A call that its host cannot see, because the log of frames went with its server, is waited for as clients wait. */
const TOOL_PATIENCE = { LOCAL_TOOL_TIMEOUT_MS: '30000' };

/** Turns under faults: what clients were told, what is stored, and what was paid must agree at the end. */
export async function runChat(platform: TestPlatform, options: ChatOptions): Promise<ChatReport> {
  const { seed, turns, print } = options;
  const run = await startFaultRun(platform, options, {
    work: turns,
    menu: chatMenu,
    services: ['agent', 'session', 'relay'],
    replicas: ['agent-2', 'relay-2'],
    settings: (service) => (service.startsWith('agent') ? TOOL_PATIENCE : {}),
  });
  await audit(platform, 'session.turns');
  const scene = await setChatScene(await platform.newSpace());
  const limited = await setLimitedScene(platform, 'turn');
  await sabotage(platform, options.without);
  const history = new History(path.join(platform.state.home, `chat-${seed}.jsonl`));
  const load = new ChatLoad(scene, history, seed * 1000, { ...options, giveUpAt: run.giveUpAt });
  const keys = new LimitedKeys(limited, history);
  const [, , struck] = await Promise.all([
    load.run(),
    keys.run(load, run.giveUpAt),
    strike(run, run.plan, { work: load, history, print }),
  ]);
  await everythingUp(platform);
  const quietAfterMs = await untilTurnsRest(platform, scene, options.quietMs);
  const found = await collectChat(platform, scene, load.outcomes);
  const ofKeys = await collectKeys(platform, limited, keys, { faults: struck.faults, quietMs: options.quietMs });
  history.close();
  await run.wires?.close();
  const violations = [...chatViolations(found), ...keyViolations(ofKeys)];
  // Client output is lost with the clients; after a failed run it is needed for analysis.
  if (violations.length > 0)
    writeFileSync(path.join(platform.state.home, 'logs', `chat-${seed}-found.json`), JSON.stringify(found, mapsToo));
  return {
    ...faultReport(options, run, struck, violations),
    ...reportOf(found),
    limitedKeys: tally(keys.outcomes.map(({ end }) => end)),
    quietAfterMs,
  };
}

const mapsToo = (_: string, value: unknown): unknown => (value instanceof Map ? [...value.entries()] : value);

function reportOf({
  outcomes,
  turns,
  ledger,
  upstream,
}: ChatFound): Omit<ChatReport, keyof FaultRunReport | 'limitedKeys' | 'quietAfterMs'> {
  const ends: Record<string, number> = {};
  for (const { status } of turns) ends[status] = (ends[status] ?? 0) + 1;
  const failures: Record<string, number> = {};
  for (const { failure } of turns) if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1;
  const recovered = turns.filter(({ recoveries }) => recoveries > 0);
  return {
    turns: outcomes.length,
    ends,
    recovered: { turns: recovered.length, completed: recovered.filter(({ status }) => status === 'COMPLETED').length },
    failures,
    frames: outcomes.reduce((sum, { frames }) => sum + frames.length, 0),
    connections: outcomes.reduce((sum, { connections }) => sum + connections, 0),
    expired: outcomes.filter(({ isExpired }) => isExpired).length,
    upstreamCalls: upstream.filter(({ name }) => name.startsWith('turn-')).length,
    debits: ledger.filter(({ type }) => type === 'SETTLEMENT').length,
  };
}
