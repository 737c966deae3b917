import { actAs, serviceCtx } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { SpacePolicyCache } from '@switchyard/service';
import { SpaceSuspensions } from './space-suspensions';

jest.useFakeTimers();

const ctx = actAs(serviceCtx('agent'), { spaceId: 'a' });
const active = { of: () => ({ status: 'ACTIVE' }), invalidate: () => undefined, onChange: () => undefined };

it('waits longer before each model call that the relay goes on refusing, although the Space is active here', async () => {
  const spaceSuspensions = new SpaceSuspensions(active as unknown as SpacePolicyCache);
  const { signal } = new AbortController();
  expect(spaceSuspensions.pause(ctx, signal, { isRelayed: true })).toBeUndefined();
  const pauses: number[] = [];
  for (let call = 0; call < 6; call += 1) {
    spaceSuspensions.noteRefused(ctx);
    const pause = { isOver: false };
    void spaceSuspensions.pause(ctx, signal, { isRelayed: true })?.then(() => (pause.isOver = true));
    let waitedMs = 0;
    for (; !pause.isOver && waitedMs < 10_000; waitedMs += 50) await jest.advanceTimersByTimeAsync(50);
    pauses.push(waitedMs);
  }
  expect(pauses[0]).toBeGreaterThan(0);
  expect(pauses[5]).toBeGreaterThan(1000);
  expect(Math.max(...pauses)).toBeLessThan(6000);
});

describe('a step right after a change of its Space', () => {
  const { signal } = new AbortController();
  const step = (policies: object, isRelayed: boolean) => {
    const pause = new SpaceSuspensions(policies as SpacePolicyCache).pause(ctx, signal, { isRelayed });
    const state = { waits: pause !== undefined };
    void pause?.then(() => (state.waits = false));
    return state;
  };
  const loading = (...answers: (object | Error)[]) => ({
    of: () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    invalidate: () => undefined,
    onChange: () => undefined,
  });
  const SUSPENDED = { status: 'SUSPENDED' };
  const ACTIVE = { status: 'ACTIVE' };

  it('begins at once if it is a model call, which the relay refuses, and waits otherwise', async () => {
    expect(step(loading(SUSPENDED), true).waits).toBe(false);
    const tool = step(loading(SUSPENDED, SUSPENDED, ACTIVE), false);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(tool.waits).toBe(true);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(tool.waits).toBe(false);
  });

  it('waits only for the answer if the Space is active, or was removed', async () => {
    const steps = [loading(ACTIVE), loading(new AppError('NOT_FOUND', 'no Space'))].map((each) => step(each, false));
    expect(steps.map(({ waits }) => waits)).toEqual([true, true]);
    await jest.advanceTimersByTimeAsync(0);
    expect(steps.map(({ waits }) => waits)).toEqual([false, false]);
  });

  it('waits if the policy cannot be read, until it can be', async () => {
    const tool = step(loading(new Error('away'), new Error('away'), ACTIVE), false);
    await jest.advanceTimersByTimeAsync(900);
    expect(tool.waits).toBe(true);
    await jest.advanceTimersByTimeAsync(200);
    expect(tool.waits).toBe(false);
  });
});
