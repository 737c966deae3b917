import { type ClaimedTurn, type CallContract, SessionCalls } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { Bus, BusOptions, FrameLog } from '@switchyard/messaging';
import { type Logger, Metrics, type Workers } from '@switchyard/service';
import type { AgentConfig } from '../../agent.config';
import { FrameFlusher } from './frame-flusher';
import type { FrameRetention } from '../frames/frame-retention';
import { TurnLeases } from './turn-leases';
import { ActiveTurns } from './active-turns';
import type { MemberRoles } from './member-roles';
import type { TurnRunner } from './turn-runner';

jest.useFakeTimers();

/** A turn that runs until the test ends it. */
function aRunner(key: string, isLeaving = false) {
  const calls: string[] = [];
  let end = (): void => undefined;
  let lose = (): void => undefined;
  const done = new Promise<object>((resolve, reject) => {
    end = () => {
      resolve({});
    };
    lose = () => {
      reject(new Error('lost'));
    };
  });
  done.catch(() => undefined);
  const runner = {
    spec: { key, ctx: {}, input: {} },
    lease: { key, epoch: 1 },
    done,
    isLeaving,
    isOver: false,
    feed: { seq: 5, hush: () => calls.push('hush'), wake: () => calls.push('wake') },
    cancel: () => calls.push('cancel'),
    abandon: () => calls.push('abandon'),
    lose: () => {
      calls.push('lose');
      lose();
    },
  } as unknown as TurnRunner;
  return { runner, told: calls, end };
}

function aHolder(isStored = (): boolean => false, firstUnconfirmed = (): number | null => null) {
  const calls: { subject: string; data: object }[] = [];
  const answers = { lost: [] as string[], cancelRequested: [] as string[], isAway: false };
  const bus = {
    call: ({ subject }: CallContract, _: unknown, data: object) => {
      calls.push({ subject, data });
      return answers.isAway ? Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away')) : Promise.resolve(answers);
    },
  } as unknown as Bus;
  const leases = new TurnLeases();
  let stop = (): Promise<void> => Promise.resolve();
  let sent: (key: string | null) => void = () => undefined;
  const afterSending = (work: typeof sent) => (sent = work);
  const turns = new ActiveTurns(
    bus,
    { beforeResending: () => undefined, afterSending, isStored, firstUnconfirmed } as unknown as FrameLog,
    new FrameFlusher(leases),
    leases,
    { warn: () => undefined } as unknown as Logger,
    { instance: 'me' } as BusOptions,
    { TURN_FINISH_WITHIN_MS: 1_000, SHUTDOWN_GRACE_MS: 10_000 } as AgentConfig,
    { writeAll: () => Promise.resolve() } as unknown as FrameRetention,
    {} as MemberRoles,
    { atStop: (work: () => Promise<void>) => (stop = work) } as unknown as Workers,
    new Metrics('agent'),
  );
  return { turns, leases, calls, answers, stop: () => stop(), noteSent: (key: string | null) => sent(key) };
}

const beat = (): Promise<unknown> => jest.advanceTimersByTimeAsync(3_000);

describe('the turns that a process holds', () => {
  it('are held until their stretch is over, and stay at hand until the log has their frames', async () => {
    const { turns, leases } = aHolder();
    const { runner, end } = aRunner('a');
    turns.hold(runner);
    expect([turns.running('a'), leases.turns]).toEqual([runner, 1]);
    end();
    await runner.done;
    expect([turns.running('a'), turns.find('a'), leases.turns]).toEqual([undefined, runner, 0]);
  });

  it('that are over wait for the log under one timer, however many there are', async () => {
    const isStored = jest.fn(() => false);
    const { turns } = aHolder(isStored);
    for (let n = 0; n < 20; n += 1) {
      const { runner, end } = aRunner(`t${n}`);
      (runner as { isOver: boolean }).isOver = true;
      turns.hold(runner);
      end();
      await jest.advanceTimersByTimeAsync(100);
    }
    await jest.advanceTimersByTimeAsync(3_000);
    isStored.mockClear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(isStored.mock.calls.length).toBeLessThanOrEqual(20 * 50);
    isStored.mockReturnValue(true);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(turns.find('t7')).toBeUndefined();
    isStored.mockClear();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(isStored).not.toHaveBeenCalled();
  });

  it('wake the readers of a stretch that was replaced, until the log has its frames', async () => {
    let pending: number | null = 3;
    const { turns, noteSent } = aHolder(
      () => false,
      () => pending,
    );
    const paused = aRunner('a');
    (paused.runner as { isOver: boolean }).isOver = true;
    turns.hold(paused.runner);
    paused.end();
    await jest.advanceTimersByTimeAsync(0);
    const next = aRunner('a');
    turns.hold(next.runner);
    turns.hold(aRunner('b').runner);
    noteSent('b');
    expect([paused.told, next.told]).toEqual([[], []]);
    await jest.advanceTimersByTimeAsync(1_000);
    noteSent('a');
    noteSent(null);
    expect([paused.told, next.told]).toEqual([
      ['wake', 'wake'],
      ['wake', 'wake'],
    ]);
    // Those of the next stretch are still pending.
    pending = 6;
    await jest.advanceTimersByTimeAsync(1_000);
    noteSent('a');
    expect([paused.told.length, next.told.length]).toEqual([2, 3]);
  });

  it('are lost when a heartbeat says so, unless they are just being stored', async () => {
    const { turns, answers } = aHolder();
    const one = aRunner('a');
    const leaving = aRunner('b', true);
    const remaining = aRunner('c');
    for (const { runner } of [one, leaving, remaining]) turns.hold(runner);
    answers.lost = ['a', 'b'];
    await beat();
    expect([one.told, leaving.told, remaining.told]).toEqual([['lose'], ['hush'], []]);
    expect(turns.find('a')).toBeUndefined();
  });

  it('are cancelled when a heartbeat brings the word', async () => {
    const { turns, answers } = aHolder();
    const { runner, told: calls } = aRunner('a');
    turns.hold(runner);
    answers.cancelRequested = ['a'];
    await beat();
    expect(calls).toEqual(['cancel']);
  });

  it('are believed in without a gap when one begins a while after the last heartbeat', async () => {
    const { turns, leases } = aHolder();
    const { runner, end } = aRunner('a');
    turns.hold(runner);
    end();
    await jest.advanceTimersByTimeAsync(8_000);
    turns.hold(aRunner('b').runner);
    for (let passed = 0; passed < 20_000; passed += 100) {
      expect(leases.areConfirmed).toBe(true);
      await jest.advanceTimersByTimeAsync(100);
    }
  });

  it('remain valid while the session service is away: no other agent can take them', async () => {
    const { turns, leases, answers } = aHolder();
    turns.hold(aRunner('a').runner);
    answers.isAway = true;
    for (let times = 0; times < 10; times += 1) await beat();
    expect(leases.areConfirmed).toBe(true);
  });

  it('are given back when they cannot be made ready now, and ended when their agent is gone', async () => {
    const { turns, calls } = aHolder();
    const identity = { spaceId: 's', userId: 'u' };
    const claim = { turn: { key: 'a', epoch: 2 }, identity, reason: 'lost' } as ClaimedTurn;
    const fails = (error: AppError) => turns.prepare(claim, () => Promise.reject(error));
    await expect(fails(new AppError('FORBIDDEN', 'not now'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(calls).toEqual([]);
    await expect(fails(new AppError('NOT_FOUND', 'gone'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(calls.splice(0)).toEqual([
      {
        subject: SessionCalls.closeTurn.subject,
        data: expect.objectContaining({ key: 'a', epoch: 2, status: 'FAILED' }) as object,
      },
    ]);
    await expect(fails(new AppError('TIMEOUT', 'slow'))).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(calls).toEqual([{ subject: SessionCalls.deferTurn.subject, data: { key: 'a', epoch: 2, reason: 'lost' } }]);
  });

  it('are announced at the beginning of a stop, before anything is waited for', () => {
    const { turns: holder, calls, stop } = aHolder();
    holder.hold(aRunner('a').runner);
    void stop();
    const turns = [{ key: 'a', epoch: 1 }];
    const { subject } = SessionCalls.heartbeatTurns;
    expect(calls).toEqual([{ subject, data: { owner: 'me', turns, isStopping: true } }]);
  });

  it('are given back as soon as the session service is there again, with those that are still made ready', async () => {
    const { turns: activeTurns, calls, answers, stop } = aHolder(() => true);
    const released = () => calls.filter(({ subject }) => subject === SessionCalls.releaseTurns.subject);
    let isReady = (): void => undefined;
    activeTurns.hold(aRunner('a').runner);
    const claim = { turn: { key: 'b', epoch: 2 }, reason: 'lost' } as ClaimedTurn;
    const prepared = activeTurns.prepare(claim, () => new Promise<void>((resolve) => (isReady = resolve)));
    const refused = expect(prepared).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    answers.isAway = true;
    const stopped = stop();
    await jest.advanceTimersByTimeAsync(3_000);
    expect(released().length).toBeGreaterThan(1);
    answers.isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
    const turns = [
      { key: 'a', epoch: 1 },
      { key: 'b', epoch: 2 },
    ];
    expect(released().at(-1)?.data).toEqual({ turns });
    isReady();
    await refused;
  });
});
