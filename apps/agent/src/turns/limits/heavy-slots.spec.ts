import { type Ctx, serviceCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { Metrics, type PayerCache } from '@switchyard/service';
import type { AgentConfig } from '../../agent.config';
import { HeavySlots } from './heavy-slots';

const config = { TURNS_PER_PROCESS: 300, TURN_SPACE_SHARE_PERCENT: 50 } as unknown as AgentConfig;
const LARGE = 1024 * 1024;
const settled = (): Promise<void> => new Promise(setImmediate);

function setUp() {
  const spacesOfOnePayer = [newId(), newId()];
  const of = (spaceId: string): string => (spacesOfOnePayer.includes(spaceId) ? 'payer' : spaceId);
  const heavy = new HeavySlots({ of } as unknown as PayerCache, config, new Metrics('agent'));
  const ctxOf = (spaceId: string): Ctx => ({ ...serviceCtx('agent'), spaceId });
  const running: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => running.push(resolve));
  /** A hundred large ones of a payer that has two Spaces. */
  const flood = (): void => {
    for (let n = 0; n < 100; n += 1)
      heavy.runIfLarge(ctxOf(spacesOfOnePayer[n % 2] ?? ''), LARGE, work).catch(() => undefined);
  };
  return { heavy, running, work, flood, payer: ctxOf(spacesOfOnePayer[0] ?? ''), other: ctxOf(newId()) };
}

describe('heavy slots', () => {
  it('run three of a hundred at once, whichever Space of the payer they are for', async () => {
    const { running, flood } = setUp();
    flood();
    await settled();
    expect(running).toHaveLength(3);
    running[0]?.();
    await settled();
    expect(running).toHaveLength(4);
  });

  it('let another payer in at once, and small requests of anybody', async () => {
    const { heavy, running, work, flood, payer, other } = setUp();
    flood();
    heavy.runIfLarge(other, LARGE, work).catch(() => undefined);
    heavy.runIfLarge(payer, 1_000, work).catch(() => undefined);
    await settled();
    expect(running).toHaveLength(5);
  });

  it('refuse after ten seconds, and say that it is because of the Space itself', async () => {
    jest.useFakeTimers();
    try {
      const { heavy, work, flood, payer } = setUp();
      flood();
      const refused = heavy.run(payer, work).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(await refused).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('let a turn that has begun wait until it is stopped', async () => {
    const { heavy, flood, payer } = setUp();
    flood();
    const stop = new AbortController();
    const taking = heavy.takeIfLarge(payer, LARGE, stop.signal);
    stop.abort();
    expect(await taking).toBeUndefined();
  });

  it('count a slot as free once, however often it is given back', async () => {
    const { heavy, running, work, flood, payer, other } = setUp();
    const free = await heavy.takeIfLarge(payer, LARGE, new AbortController().signal);
    flood();
    await settled();
    expect(running).toHaveLength(2);
    free?.();
    free?.();
    await settled();
    expect(running).toHaveLength(3);
    heavy.run(other, work).catch(() => undefined);
    heavy.run(other, work).catch(() => undefined);
    await settled();
    expect(running).toHaveLength(4);
  });
});
