import type { TurnSlot } from '../limits/turn-slots';
import { SuspectSlot } from './suspect-turns';

function aSlot() {
  const events: string[] = [];
  const inner: TurnSlot = {
    mayBegin: () => undefined,
    work: () => void events.push('works'),
    rest: () => void events.push('rests'),
    leave: () => void events.push('leaves'),
  };
  const slot = new SuspectSlot(inner, (isWaiting) => {
    events.push(isWaiting ? 'waiting' : 'not waiting');
    return Promise.resolve();
  });
  return { slot, events };
}

describe('the slot of a turn that was lost', () => {
  const { signal } = new AbortController();

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reports a wait when it has lasted for a moment, and its end before the turn works again', async () => {
    const { slot, events } = aSlot();
    slot.rest();
    jest.advanceTimersByTime(999);
    expect(events).toEqual(['rests']);
    jest.advanceTimersByTime(1);
    slot.rest();
    jest.advanceTimersByTime(5000);
    await slot.work(signal);
    expect(events).toEqual(['rests', 'waiting', 'rests', 'not waiting', 'works']);
  });

  it('reports no short wait, and none of a turn that has ended', () => {
    const { slot, events } = aSlot();
    slot.rest();
    jest.advanceTimersByTime(500);
    expect(slot.work(signal)).toBeUndefined();
    slot.rest();
    slot.leave();
    jest.advanceTimersByTime(5000);
    expect(events).toEqual(['rests', 'works', 'rests', 'leaves']);
  });
});
