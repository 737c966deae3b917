import { setTimeout as sleep } from 'node:timers/promises';
import { type TestPlatform } from '@switchyard/testing';
import { audit } from '../../faults/audit';
import { everythingUp } from '../../faults/faults';
import { staff } from '../../faults/staff';
import { freePort } from '../../../tools/launcher/ports';
import { SERVICES } from '../../../tools/launcher/service-names';
import { residentMi } from '../process-memory';
import { Front, FrontedPlatform } from './front';
import { mixedWork } from './mixed-work';
import type { ScaleReport } from './scale-report';

const MAX_MS = 600_000;
/** Three pools of each service in one Postgres of 200 connections. */
const SETTINGS = { DATABASE_POOL_SIZE: '4', LOCAL_TOOL_TIMEOUT_MS: '30000' };
const BETWEEN_KILLS_MS = 500;

/** Three of each service, one of each killed in turn: the same work as with one of each, and nothing lost or twice. */
export async function runReplicas(
  platform: TestPlatform,
  count: number,
  print: (line: string) => void,
): Promise<ScaleReport> {
  const ports = [Number(new URL(platform.url).port)];
  const front = await Front.before(() => ports);
  const fronted = new FrontedPlatform(front);
  try {
    await audit(fronted, 'task.executions');
    await audit(fronted, 'session.turns');
    await audit(fronted, 'job.jobs');
    const settings = (): Record<string, string> => SETTINGS;
    await staff(fronted, { services: SERVICES, replicas: [], wires: false, settings });
    const alone = await mixedWork(fronted, { name: 'one of each', count, seed: 1, maxMs: MAX_MS }, print);
    const memoryOfOne = memory(fronted);
    const gateways = await Promise.all(
      ['gateway-2', 'gateway-3'].map(async (name) => ({ name, port: await freePort() })),
    );
    const portOf = new Map(gateways.map(({ name, port }) => [name, { GATEWAY_PORT: String(port) }]));
    await staff(fronted, {
      services: [],
      replicas: [2, 3].flatMap((at) => SERVICES.map((service) => `${service}-${at}`)),
      wires: false,
      settings: (name) => ({ ...SETTINGS, ...portOf.get(name) }),
    });
    ports.push(...gateways.map(({ port }) => port));
    const three = await mixedWork(fronted, { name: 'three of each', count, seed: 2, maxMs: MAX_MS }, print);
    const memoryOfThree = memory(fronted);
    const killed: string[] = [];
    const disturb = (signal: AbortSignal): Promise<void> => killInTurn(fronted, killed, signal);
    const under = { name: 'three of each, killed', count, seed: 3, maxMs: MAX_MS, disturb };
    const struck = await mixedWork(fronted, under, print);
    print(`killed: ${killed.join(', ')}`);
    const spared = SERVICES.filter((service) => !killed.some((name) => name.startsWith(service)));
    return {
      name: 'replicas',
      count,
      figures: {
        'pieces of work in each part': alone.done,
        'one of each, pieces a second': Math.round(alone.done / alone.seconds),
        'three of each, pieces a second': Math.round(three.done / three.seconds),
        'three of each while they are killed, pieces a second': Math.round(struck.done / struck.seconds),
        'processes killed': killed.length,
        'MiB of the services, one of each': memoryOfOne,
        'MiB of the services, three of each': memoryOfThree,
      },
      broken: [
        ...alone.broken,
        ...three.broken,
        ...struck.broken,
        ...spared.map((service) => `no ${service} was killed while there was work: --count is too small`),
      ],
    };
  } finally {
    front.close();
    await fronted.database.close();
  }
}

/** One of each service, then the next of each, as long as there is work. */
async function killInTurn(platform: TestPlatform, killed: string[], signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    for (const service of SERVICES) {
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
      if (signal.aborted) break;
      const name = [service, `${service}-2`, `${service}-3`][round % 3] ?? service;
      await platform.service(name).crash();
      killed.push(name);
      await sleep(BETWEEN_KILLS_MS);
    }
  }
  await everythingUp(platform);
}

const memory = (platform: TestPlatform): number =>
  Math.round(
    Object.entries(platform.state.pids).reduce(
      (sum, [name, pid]) =>
        sum + (pid && SERVICES.some((service) => name.replace(/-\d+$/, '') === service) ? (residentMi(pid) ?? 0) : 0),
      0,
    ),
  );
