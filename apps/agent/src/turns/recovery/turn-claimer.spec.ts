import type { ClaimedTurn } from '@switchyard/contracts';
import type { Bus, ReplicaLiveness } from '@switchyard/messaging';
import type { Logger, Workers } from '@switchyard/service';
import type { ActiveTurns } from '../run/active-turns';
import type { Takeover } from './takeover';
import { TurnClaimer } from './turn-claimer';
import type { TurnSlots } from '../limits/turn-slots';

const claim = (key: string): ClaimedTurn => ({ turn: { key, interaction: null } }) as unknown as ClaimedTurn;

function aClaimer({ free = 5, isStopping = false, waiting = [] as string[], suspects = [] as string[] }) {
  const requests: { limit: number; gone: string[]; othersFirst: boolean }[] = [];
  const taken: string[] = [];
  const failed: unknown[] = [];
  const alone: string[] = [];
  let round = (): Promise<boolean> => Promise.resolve(false);
  const bus = {
    call: (_: unknown, _ctx: unknown, data: (typeof requests)[number]) => {
      requests.push(data);
      return Promise.resolve({
        items: waiting
          .splice(0, data.limit)
          .map((key) => ({ ...claim(key), reason: 'released', isSuspect: suspects.includes(key) })),
        holders: ['other'],
      });
    },
  } as unknown as Bus;
  const takeover = {
    resume: ({ turn }: ClaimedTurn) => {
      if (turn.key === 'broken') return Promise.reject(new Error('cannot be read'));
      taken.push(turn.key);
      return Promise.resolve();
    },
  } as unknown as Takeover;
  const workers = {
    poll: (_: string, _ms: number, work: () => Promise<boolean>) => {
      round = work;
      return () => undefined;
    },
  } as unknown as Workers;
  new TurnClaimer(
    bus,
    { owner: 'me', isStopping } as unknown as ActiveTurns,
    takeover,
    {
      free,
      claim: async <T>(work: () => Promise<T>, hasSuspect: (claimed: T) => boolean): Promise<T> => {
        const claimed = await work();
        if (hasSuspect(claimed)) alone.push(`after ${taken.length}`);
        return claimed;
      },
    } as unknown as TurnSlots,
    { findDead: (others: string[]) => Promise.resolve(others) } as unknown as ReplicaLiveness,
    { error: (error: unknown) => failed.push(error) } as unknown as Logger,
    workers,
  );
  return { asked: requests, taken, failed, alone, round: () => round() };
}

describe('the claimer of turns', () => {
  it('goes on with what it got, looks again at once, and soon while others hold turns', async () => {
    const { round, taken } = aClaimer({ waiting: ['a', 'b'] });
    expect([await round(), taken]).toEqual([true, ['a', 'b']]);
    expect(await round()).toBe('soon');
  });

  it('claims no more turns than there are places for, and none when there is no place', async () => {
    const few = aClaimer({ free: 1, waiting: ['a', 'b'] });
    await few.round();
    expect(few.taken).toEqual(['a']);
    const none = aClaimer({ free: 0, waiting: ['a'] });
    expect([await none.round(), none.asked]).toEqual(['soon', []]);
  });

  it('claims nothing in a process that stops', async () => {
    const { round, asked: requests } = aClaimer({ isStopping: true, waiting: ['a'] });
    expect([await round(), requests]).toEqual([false, []]);
  });

  it('goes on with the others where one of them cannot be taken over', async () => {
    const { round, taken, failed } = aClaimer({ waiting: ['a', 'broken', 'b'] });
    await round();
    expect([taken, failed.length]).toEqual([['a', 'b'], 1]);
  });

  it('says which of the other holders are gone', async () => {
    const { round, asked: requests } = aClaimer({});
    await round();
    await round();
    expect(requests.map(({ gone }) => gone)).toEqual([[], ['other']]);
  });

  it('delays fresh turns before it continues a suspect turn, for any reason of its claim', async () => {
    const suspect = aClaimer({ waiting: ['a'], suspects: ['a'] });
    await suspect.round();
    const released = aClaimer({ waiting: ['a'] });
    await released.round();
    expect([suspect.alone, released.alone]).toEqual([['after 0'], []]);
  });

  it('lets other turns come first after a suspect, until one has come', async () => {
    const waiting = ['a'];
    const { round, asked: requests } = aClaimer({ waiting, suspects: ['a'] });
    await round();
    await round();
    waiting.push('b');
    await round();
    await round();
    expect(requests.map(({ othersFirst }) => othersFirst)).toEqual([false, true, true, false]);
  });
});
