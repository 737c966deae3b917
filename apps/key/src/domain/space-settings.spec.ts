import { NO_CEILINGS } from '@switchyard/contracts';
import { effectiveSettings, mergeSettings } from './space-settings';

const updatedAt = '2026-02-01T00:00:00.000Z';

describe('settings of a Space', () => {
  it('merges what is given into what is there', () => {
    expect(mergeSettings({ dailyTokenCap: 10, taskConcurrency: 2 }, { taskConcurrency: 3, jobConcurrency: 4 })).toEqual(
      {
        dailyTokenCap: 10,
        taskConcurrency: 3,
        jobConcurrency: 4,
      },
    );
  });

  it('takes a setting back to the default with null', () => {
    expect(mergeSettings({ dailyTokenCap: 10, minimumBalance: 5 }, { dailyTokenCap: null })).toEqual({
      minimumBalance: 5,
    });
  });

  it('keeps zero as a value', () => {
    expect(mergeSettings({}, { dailyTokenCap: 0, minimumBalance: 0 })).toEqual({ dailyTokenCap: 0, minimumBalance: 0 });
  });

  it('captures content only where that is said, and no longer when it is taken back', () => {
    expect(mergeSettings({ captureContent: true }, { taskConcurrency: 2 })).toEqual({
      captureContent: true,
      taskConcurrency: 2,
    });
    expect(mergeSettings({ captureContent: true }, { captureContent: false })).toEqual({ captureContent: false });
    expect(mergeSettings({ captureContent: true }, { captureContent: null })).toEqual({});
  });

  it('takes no names that it does not know', () => {
    const change = JSON.parse('{"__proto__": {"dailyTokenCap": 1}, "isAdmin": true}') as Record<string, never>;
    expect(mergeSettings({}, change)).toEqual({});
  });

  it('tells the services null for what is not set', () => {
    const space = { id: 'space-1', payerKind: null, payerId: null, madeBy: null, madeByKind: null } as const;
    const facts = {
      status: 'ACTIVE',
      suspendedReason: null,
      suspendedAt: null,
      unmetered: false,
      startingTokens: null,
    } as const;
    expect(
      effectiveSettings({ ...space, ...facts, updatedAt, settings: { taskConcurrency: 2 }, ceilings: { agents: 3 } }),
    ).toEqual({
      dailyTokenCap: null,
      requestTokenCap: null,
      minimumBalance: null,
      taskConcurrency: 2,
      jobConcurrency: null,
      approvals: [],
      ceilings: { ...NO_CEILINGS, agents: 3 },
      payer: { kind: 'space', id: 'space-1' },
      ...facts,
    });
  });

  it('tells the services since when a Space is suspended, as far as that is recorded', () => {
    const space = { id: 'space-1', payerKind: null, payerId: null, madeBy: null, madeByKind: null } as const;
    const facts = { suspendedReason: 'a test', unmetered: false, startingTokens: null, settings: {}, ceilings: {} };
    const suspendedAt = '2026-01-01T00:00:00.000Z';
    const suspendedAtOf = (change: { status: 'ACTIVE' | 'SUSPENDED'; suspendedAt: string | null }): unknown =>
      effectiveSettings({ ...space, ...facts, updatedAt, ...change }).suspendedAt;
    expect(suspendedAtOf({ status: 'SUSPENDED', suspendedAt })).toBe(suspendedAt);
    expect(suspendedAtOf({ status: 'SUSPENDED', suspendedAt: null })).toBe(updatedAt);
    expect(suspendedAtOf({ status: 'ACTIVE', suspendedAt })).toBeNull();
  });
});
