import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, TestPlatform, type TestSpace } from '@switchyard/testing';
import { CpuPerOperation, oursUs } from '../cpu';
import { alternate, atMost, median } from '../measure';
import { residentMib } from '../memory';
import type { BenchContext, BenchRow, Measured, Shape } from '../row';
import { processesOf } from '../shape';
import { crowd, type Crowd, readStream, type StreamCall } from './chat-load';
import { chatAgainstPeers } from './chat-peers';

const AGENT = { name: 'bench', model: 'sim-chat', systemPrompt: 'You are measured.' };
/** So many that no caller meets a limit of requests. */
const SPACES = 30;
const KEYS_PER_SPACE = 2;
/** Before anything is measured, by crowds of this size: code that has not run often is slow, on either side. */
const WARM_UP = { crowds: 40, of: 100 };
/** Those that a chat passes through. */
const SERVICES = ['gateway', 'agent', 'session', 'relay'];
const SERVERS = ['postgres', 'nats', 'simulator'];
/** Streams at once, and how many times the time of the upstream they may take. */
const CROWDS: Readonly<Record<Shape, readonly (readonly [count: number, limit: number])[]>> = {
  hosts: [
    [100, 3],
    [500, 2.5],
  ],
  services: [[500, 2.5]],
};

interface Door {
  key: Client;
  agentId: string;
}

async function endpoints(platform: TestPlatform): Promise<Door[]> {
  const made: Door[] = [];
  for (let n = 0; n < SPACES; n += 1) {
    const space: TestSpace = await platform.newSpace();
    const agent = (await space.owner.post('/agents', AGENT)).body as { data: { id: string } };
    for (let k = 0; k < KEYS_PER_SPACE; k += 1) made.push({ key: await space.key(), agentId: agent.data.id });
  }
  return made;
}

const ours = (url: string, endpoint: Door, text: string): StreamCall => ({
  url: `${url}/api/agents/${endpoint.agentId}/chat`,
  headers: {
    authorization: endpoint.key.authorization ?? '',
    accept: 'text/event-stream',
    'x-service-stream-protocol': 'stream-v3',
  },
  body: { contents: [{ type: 'text', text }] },
  first: PRODUCT_EVENTS.contentDelta,
  end: '"COMPLETED"',
});

const upstream = (url: string, text: string): StreamCall => ({
  url: `${url}/chat/completions`,
  headers: {},
  body: { model: 'sim-chat', stream: true, messages: [{ role: 'user', content: text }] },
  first: '"content":"',
  end: '[DONE]',
});

async function sequential(times: number, call: () => StreamCall): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) taken.push((await readStream(call())).firstMs);
  return median(taken);
}

function costOfTurn(cpu: Readonly<Record<string, number>>): Measured {
  const ours = oursUs(cpu) / 1000;
  const shape = { beside: '-', theirs: NaN, unit: 'ms of CPU', ratio: NaN } as const;
  return { what: 'chat, a turn among 500', ...shape, ours, target: '<= 2.8 ms', judged: 'ours', met: ours <= 2.8, cpu };
}

/** Everything on: session, lock, metering, kept frames; beside the same model upstream without us. */
export const chat: BenchRow = {
  name: 'chat',
  // Kubernetes and Compose have a process per service: what a user would compare of it is measured too.
  shapes: ['hosts', 'services'],
  async run({ state, shape, report }: BenchContext): Promise<Measured[]> {
    const platform = new TestPlatform();
    const slots = await endpoints(platform);
    let turn = 0;
    const endpoint = (): Door => slots[(turn += 1) % slots.length] as Door;
    const measured: Measured[] = [];

    const [mine, direct] = [
      (): StreamCall => ours(state.url, endpoint(), '@@tokens 3'),
      (): StreamCall => upstream(state.simulatorUrl, '@@tokens 3'),
    ];
    for (let n = 0; n < WARM_UP.crowds; n += 1) for (const side of [mine, direct]) await crowd(WARM_UP.of, side);
    const alone = await alternate(
      7,
      () => sequential(60, mine),
      () => sequential(60, direct),
    );
    const added = alone.ours - alone.theirs;
    measured.push({
      what: 'chat, time to first delta, p50',
      beside: 'the upstream directly',
      unit: 'ms',
      ...alone,
      ratio: added,
      target: '+6 ms',
      judged: 'added',
      met: added <= 6,
    });

    const text = '@@delay 5\n@@tokens 40';
    for (const [count, limit] of CROWDS[shape]) {
      const seen: Crowd[] = [];
      const cpu = new CpuPerOperation({ ...processesOf(state, [...SERVICES, ...SERVERS]), caller: process.pid });
      const pair = await alternate(
        7,
        async () => {
          const result = await cpu.during(count, () => crowd(count, () => ours(state.url, endpoint(), text)));
          seen.push(result);
          return result.wallMs;
        },
        async () => (await crowd(count, () => upstream(state.simulatorUrl, text))).wallMs,
      );
      const first = median(seen.map(({ firstP50Ms }) => firstP50Ms));
      const failed = seen.reduce((sum, result) => sum + result.failed, 0);
      report(
        `${count} streams: first delta p50 ${first.toFixed(0)} ms, p99 ${median(seen.map(({ firstP99Ms }) => firstP99Ms)).toFixed(0)} ms, failed ${failed}`,
      );
      measured.push(
        atMost(limit, {
          what: `chat, ${count} streams, wall`,
          beside: 'the upstream directly',
          unit: 'ms',
          cpu: cpu.result(),
          ...pair,
        }),
      );
      if (count === 500) measured.push(costOfTurn(cpu.result()));
      measured.push({
        what: `chat, ${count} streams, failed`,
        beside: 'none',
        ours: failed,
        theirs: 0,
        unit: 'streams',
        ratio: failed,
        target: '0',
        judged: 'ours',
        met: failed === 0,
      });
    }
    const processes = Object.values(processesOf(state, SERVICES));
    const resident = processes.reduce<number>((sum, pid) => sum + residentMib(pid ?? NaN), 0);
    measured.push({
      what: 'gateway + agent + session + relay, resident after',
      beside: '-',
      ours: resident,
      theirs: 560,
      unit: 'MiB',
      ratio: resident / 560,
      target: '<= 560 MiB',
      judged: 'ours',
      met: resident <= 560,
    });
    if (shape === 'services') return measured;
    measured.push(
      ...(await chatAgainstPeers({
        databaseUrl: state.databaseUrl,
        simulatorUrl: state.simulatorUrl,
        text,
        ours: () => ours(state.url, endpoint(), text),
        report,
      })),
    );
    return measured;
  },
};
