import { actAs, serviceCtx } from '@switchyard/contracts';
import type { SpacePolicies } from '@switchyard/service';
import { Suspensions } from './suspensions';

jest.useFakeTimers();

const ctx = actAs(serviceCtx('agent'), { spaceId: 'a' });
const active = { of: () => ({ status: 'ACTIVE' }), invalidate: () => undefined, onChange: () => undefined };

it('waits longer before each model call that the relay goes on refusing, although the Space is active here', async () => {
  const suspensions = new Suspensions(active as unknown as SpacePolicies);
  const { signal } = new AbortController();
  expect(suspensions.pause(ctx, signal)).toBeUndefined();
  const pauses: number[] = [];
  for (let call = 0; call < 6; call += 1) {
    suspensions.noteRefused(ctx);
    const pause = { isOver: false };
    void suspensions.pause(ctx, signal)?.then(() => (pause.isOver = true));
    let waitedMs = 0;
    for (; !pause.isOver && waitedMs < 10_000; waitedMs += 50) await jest.advanceTimersByTimeAsync(50);
    pauses.push(waitedMs);
  }
  expect(pauses[0]).toBeGreaterThan(0);
  expect(pauses[5]).toBeGreaterThan(1000);
  expect(Math.max(...pauses)).toBeLessThan(6000);
});
