import type { Ctx, KeyLimits, PreflightReply } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import type { KeyLimitsCache } from '@switchyard/service';
import { PreflightCache } from './preflight-cache';

const ctx = { spaceId: 'one' } as Ctx;
const said = { estimatedTokens: 1, contextWindow: 9, maxOutputTokens: 100, requestTokenCap: 5_000 };
const plenty: PreflightReply = { ...said, ample: { tokens: 1_000, forMs: 60_000 } };
const ask = (content: string, maxTokens?: number, model = 'm') => ({
  model,
  messages: [{ role: 'user' as const, content }],
  ...(maxTokens === undefined ? {} : { maxTokens }),
});

function setting() {
  const state = { asked: 0, reply: plenty, limits: {} as KeyLimits, isUp: true, down: (): void => undefined };
  let wait = Promise.resolve();
  const bus = {
    get isUp() {
      return state.isUp;
    },
    onDown: (listener: () => void) => (state.down = listener),
    call: async () => {
      state.asked += 1;
      const { reply } = state;
      await wait;
      return reply;
    },
  } as unknown as Bus;
  const preflightCache = new PreflightCache(bus, { of: () => state.limits } as unknown as KeyLimitsCache);
  /** Whether the relay was asked. */
  const isRequested = async (request = ask('hello'), by = ctx): Promise<boolean> => {
    const before = state.asked;
    await preflightCache.ask(by, request);
    return state.asked > before;
  };
  const holdAnswers = (): (() => void) => {
    let go: () => void = () => undefined;
    wait = new Promise((resolve) => (go = resolve));
    return go;
  };
  return { state, allowances: preflightCache, isAsked: isRequested, holdAnswers };
}

describe('what a Space may begin', () => {
  it('is not asked again while there is ample room', async () => {
    const { allowances, isAsked: isRequested } = setting();
    expect([await isRequested(), await isRequested(), await isRequested(ask('hello', 900))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await allowances.ask(ctx, ask('hello'))).toMatchObject(said);
  });

  it.each([
    ['a longer text', ask('x'.repeat(900))],
    ['a longer answer', ask('hello', 1_000)],
    ['another model', ask('hello', 1, 'other')],
  ])('is asked for %s', async (_, request) => {
    const { isAsked: isRequested } = setting();
    await isRequested();
    expect(await isRequested(request)).toBe(true);
  });

  it('is asked where nothing was said, where it is over, and by another Space', async () => {
    const { state, isAsked: isRequested } = setting();
    for (const reply of [said, { ...said, ample: { tokens: 1_000, forMs: 0 } }, plenty]) {
      state.reply = reply;
      expect(await isRequested()).toBe(true);
    }
    expect(await isRequested(ask('hello'), { ...ctx, spaceId: 'two' })).toBe(true);
    expect(await isRequested()).toBe(false);
  });

  it('is asked for a key that has token limits', async () => {
    const { state, isAsked: isRequested } = setting();
    await isRequested();
    for (const limits of [{ dailyTokens: 5 }, { monthlyTokens: 5 }]) {
      state.limits = limits;
      expect(await isRequested()).toBe(true);
    }
    state.limits = { requestsPerMinute: 5 };
    expect(await isRequested()).toBe(false);
  });

  it('is asked after a change, and when the line was lost', async () => {
    const { state, allowances, isAsked: isRequested } = setting();
    await isRequested();
    allowances.invalidate('one');
    expect(await isRequested()).toBe(true);
    state.down();
    expect(await isRequested()).toBe(true);
    state.isUp = false;
    allowances.invalidate('one');
    expect([await isRequested(), await isRequested()]).toEqual([true, true]);
  });

  it('is not kept as it was before a change', async () => {
    const { allowances, isAsked: isRequested, holdAnswers } = setting();
    const go = holdAnswers();
    const asking = isRequested();
    allowances.invalidate('one');
    go();
    await asking;
    expect(await isRequested()).toBe(true);
  });
});
