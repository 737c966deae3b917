import type { TestPlatform } from '@switchyard/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { audit } from '../audit';
import { killsIn } from '../chaos-run';
import { chatMenu } from '../fault-menus';
import { planFaults } from '../fault-plan';
import { everythingUp } from '../faults';
import { History } from '../history';
import { collectKeys } from '../keys/key-findings';
import { keyViolations } from '../keys/key-invariants';
import { LimitedKeys, setLimitedScene } from '../keys/limited-keys';
import { tally } from '../tally';
import { Random } from '../random';
import { type Control, planWithout, sabotage, settingsWithout } from '../sabotage';
import { staff } from '../staff';
import { type Struck, strike } from '../strike';
import type { Violation } from '../violations';
import { collectChat, untilTurnsRest } from './chat-findings';
import { type ChatFound, chatViolations } from './chat-invariants';
import { ChatLoad, setChatScene } from './chat-load';

export interface ChatOptions {
  seed: number;
  turns: number;
  faults: number;
  callers: number;
  maxMs: number;
  quietMs: number;
  wires: boolean;
  /** A second agent and a second relay: what one loses, the other takes over. */
  replicas: boolean;
  without?: Control;
  say: (line: string) => void;
}

export interface ChatReport {
  seed: number;
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
  kills: number;
  faults: Record<string, number>;
  missed: string[];
  failedFaults: string[];
  quietAfterMs: number;
  tookMs: number;
  violations: Violation[];
}

/** A call that its host cannot see, because the log of frames went with its server, is waited for as clients wait. */
const TOOL_PATIENCE = { LOCAL_TOOL_TIMEOUT_MS: '30000' };

/** Turns under faults: what clients were told, what is stored, and what was paid must agree at the end. */
export async function runChat(platform: TestPlatform, options: ChatOptions): Promise<ChatReport> {
  const { seed, turns, say } = options;
  const random = new Random(seed);
  const plan = planWithout(options.without) ?? planFaults(random, options.faults, turns, chatMenu);
  const unguarded = settingsWithout(options.without);
  const wires = await staff(platform, {
    services: ['agent', 'session', 'relay'],
    replicas: options.replicas ? ['agent-2', 'relay-2'] : [],
    wires: options.wires,
    settings: (service) => ({ ...(service.startsWith('agent') ? TOOL_PATIENCE : {}), ...unguarded(service) }),
  });
  const startedAt = Date.now();
  await audit(platform, 'session.turns');
  const scene = await setChatScene(await platform.newSpace());
  const limited = await setLimitedScene(platform, 'turn');
  await sabotage(platform, options.without);
  const history = new History(path.join(platform.state.home, `chat-${seed}.jsonl`));
  const load = new ChatLoad(scene, history, seed * 1000, { ...options, giveUpAt: startedAt + options.maxMs });
  const keys = new LimitedKeys(limited, history);
  const [, , struck] = await Promise.all([
    load.run(),
    keys.run(load, startedAt + options.maxMs),
    strike({ platform, random, wires }, plan, { work: load, history, say }),
  ]);
  await everythingUp(platform);
  const quietAfterMs = await untilTurnsRest(platform, scene, options.quietMs);
  const found = await collectChat(platform, scene, load.outcomes);
  const ofKeys = await collectKeys(platform, limited, keys, { faults: struck.faults, quietMs: options.quietMs });
  history.close();
  await wires?.close();
  const violations = [...chatViolations(found), ...keyViolations(ofKeys)];
  // What clients were told is gone with them; after a red run it is what there is to look at.
  if (violations.length > 0)
    writeFileSync(path.join(platform.state.home, 'logs', `chat-${seed}-found.json`), JSON.stringify(found, mapsToo));
  return {
    ...reportOf(seed, found, struck),
    limitedKeys: tally(keys.outcomes.map(({ end }) => end)),
    quietAfterMs,
    tookMs: Date.now() - startedAt,
    violations,
  };
}

const mapsToo = (_: string, value: unknown): unknown => (value instanceof Map ? [...value.entries()] : value);

function reportOf(
  seed: number,
  { outcomes, turns, ledger, upstream }: ChatFound,
  struck: Struck,
): Omit<ChatReport, 'limitedKeys' | 'quietAfterMs' | 'tookMs' | 'violations'> {
  const ends: Record<string, number> = {};
  for (const { status } of turns) ends[status] = (ends[status] ?? 0) + 1;
  const failures: Record<string, number> = {};
  for (const { failure } of turns) if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1;
  const recovered = turns.filter(({ recoveries }) => recoveries > 0);
  return {
    seed,
    turns: outcomes.length,
    ends,
    recovered: { turns: recovered.length, completed: recovered.filter(({ status }) => status === 'COMPLETED').length },
    failures,
    frames: outcomes.reduce((sum, { frames }) => sum + frames.length, 0),
    connections: outcomes.reduce((sum, { connections }) => sum + connections, 0),
    expired: outcomes.filter(({ isExpired }) => isExpired).length,
    upstreamCalls: upstream.filter(({ name }) => name.startsWith('turn-')).length,
    debits: ledger.filter(({ type }) => type === 'SETTLEMENT').length,
    kills: killsIn(struck.faults),
    faults: struck.faults,
    missed: struck.missed,
    failedFaults: struck.failed,
  };
}
