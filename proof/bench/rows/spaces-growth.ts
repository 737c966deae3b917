import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Cost, type Sized, scaleToFirst, compareSizes, costBySize } from '../cost-by-size';
import { CpuPerOperation, type Pids, cpuText, oursUs } from '../cpu';
import { HttpCaller, chatTurn } from '../http-caller';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { settled } from './events-ground';
import { payloadOf } from './events-scene';
import { type SpacesGround, growSpaces, prepareSpaces } from './spaces-ground';

const SIZES = [100, 1_000, 10_000] as const;
const TURNS = { times: 200, callers: 8 };
const EMISSIONS = { times: 400, callers: 16 };
const LISTS = { times: 500, callers: 16 };
/** So many Spaces ask for their agents one after the other, at each size. */
const ASKING = 100;
/** Loops that find nothing have become slow, and V8 has collected the garbage of the load. */
const SETTLED_MS = 90_000;
const REST_SECONDS = 40;
const REST_PERCENT = 2;
const US_A_PERCENT = 10_000;
/**
 * Requests that ask for nothing: the gateway's processor time for them tells how fast the machine is in that minute.
 */
const REFERENCE = { times: 2_000, callers: 16 };
/** A credential is looked up again after this, so that a list costs its check as well. */
const CREDENTIAL_CACHE_MS = '1';

type MeasuredOperation = 'chat turn' | 'emission' | 'list of agents' | 'list of agents, key not known';

/** Cost of an operation at one size, and microseconds of the reference before and after it. */
interface Measurement {
  cost: Cost;
  reference: number;
}

/** The Spaces that ask, evenly out of all. */
const asking = (keys: readonly string[]): string[] =>
  keys.filter((_, n) => n % Math.floor(keys.length / ASKING) === 0).slice(0, ASKING);

interface Callers {
  known: HttpCaller;
  unknown: HttpCaller;
  pids: Pids;
}

async function costs(ground: SpacesGround, size: number, { known: existing, unknown, pids }: Callers) {
  const { scene, key, agentId } = ground.asked;
  const keys = asking(ground.keys);
  let turn = 0;
  const list = (caller: HttpCaller) => (): Promise<string> =>
    caller.call({ method: 'GET', path: '/api/agents', key: keys[(turn += 1) % keys.length] ?? '' });
  const emit = (): Promise<string> => {
    const body = {
      appIdentifier: scene.appIdentifier,
      event: 'order',
      payload: payloadOf(),
      idempotencyKey: randomUUID(),
    };
    return existing.call({ method: 'POST', path: '/api/events/emit', key: scene.key, body });
  };
  const askNothing = (): Promise<string> => existing.call({ method: 'GET', path: '/api/bench/no-op', key });
  const { gateway } = pids;
  const reference = async (): Promise<number> => {
    const [cost] = await costBySize([{ size, run: askNothing }], { ...REFERENCE, pids: { gateway } });
    return cost ? oursUs(cost.cpu) : NaN;
  };
  let before = await reference();
  const one = async (run: Sized['run'], load: typeof TURNS): Promise<Measurement> => {
    const [cost] = (await costBySize([{ size, run }], { ...load, pids })) as [Cost];
    await settled(scene);
    const after = await reference();
    const seen = { cost, reference: (before + after) / 2 };
    before = after;
    return seen;
  };
  return {
    'chat turn': await one(() => existing.call(chatTurn(key, agentId)), TURNS),
    emission: await one(emit, EMISSIONS),
    'list of agents': await one(list(existing), LISTS),
    'list of agents, key not known': await one(list(unknown), LISTS),
  } satisfies Record<MeasuredOperation, Measurement>;
}

/** Usage of all processes while all Spaces are idle. */
async function atRest({ state, report }: BenchContext, spaces: number): Promise<Measured> {
  await setTimeout(SETTLED_MS);
  const cpu = new CpuPerOperation(state.pids);
  await cpu.during(REST_SECONDS, () => setTimeout(REST_SECONDS * 1_000));
  const used = cpu.result();
  report(`at rest with ${spaces} Spaces, of each second: ${cpuText(used)}`);
  const ours = Object.values(used).reduce((sum, us) => sum + us, 0) / US_A_PERCENT;
  const shape = { beside: 'limit', theirs: REST_PERCENT, unit: '% of a core', judged: 'ours' } as const;
  const ratio = ours / REST_PERCENT;
  return {
    what: `idle, ${spaces} Spaces`,
    ...shape,
    ours,
    ratio,
    target: `<= ${REST_PERCENT}%`,
    met: ratio <= 1,
    cpu: used,
  };
}

/**
 * The whole platform with ten and a hundred times the Spaces. Sizes come one after the other, in minutes of which a
 * reference tells how fast the machine was. Run by name only.
 */
export const spacesGrowth: BenchRow = {
  name: 'spaces-growth',
  shapes: ONE_SERVICE,
  onlyByName: true,
  async run(context: BenchContext): Promise<Measured[]> {
    const { state, report } = context;
    const gateway = await startNoOpGateway(state);
    const forgetful = await startNoOpGateway(state, { CREDENTIAL_CACHE_MS });
    const callers: Callers = {
      known: new HttpCaller(gateway.ready),
      unknown: new HttpCaller(forgetful.ready),
      pids: { ...state.pids, gateway: gateway.pid, 'forgetful gateway': forgetful.pid, caller: process.pid },
    };
    const ground = await prepareSpaces((key, agentId) => callers.known.call(chatTurn(key, agentId)));
    try {
      const seen = new Map<string, Measurement[]>();
      for (const size of SIZES) {
        await growSpaces(ground, state, size);
        report(`${size} Spaces`);
        // The first size would be measured with code that has not run often.
        if (size === SIZES[0]) await costs(ground, size, callers);
        for (const [operation, cost] of Object.entries(await costs(ground, size, callers)))
          seen.set(operation, [...(seen.get(operation) ?? []), cost]);
      }
      const compared = [...seen].flatMap(([operation, all]) => {
        const references = all.map(({ reference }) => reference);
        const costs = all.map(({ cost }) => cost);
        const measured = costs.map(
          ({ wallMs, cpu }) => `${wallMs.toFixed(2)} ms, ${Math.round(oursUs(cpu))} us of CPU`,
        );
        report(`${operation}, as measured: ${measured.join('; ')}`);
        report(`${operation}, a request that asks for nothing: ${references.map((us) => us.toFixed(1)).join('; ')} us`);
        return compareSizes(operation, 'Spaces', scaleToFirst(costs, references), report);
      });
      await Promise.all([callers.known.stop(), callers.unknown.stop()]);
      gateway.stop();
      forgetful.stop();
      return [...compared, await atRest(context, SIZES.at(-1) ?? NaN)];
    } finally {
      gateway.stop();
      forgetful.stop();
      for (const { scene } of [ground.asked, ground.original]) await scene.platform.database.close();
    }
  },
};
