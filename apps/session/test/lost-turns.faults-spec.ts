import type { Ctx, TurnRecord } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until } from '@switchyard/testing';
import type { AgentSide } from './agent-side';
import { useAgentSides } from './agent-sides';

/** A lease, and the time until silence counts as a loss. */
const PATIENCE = { timeoutMs: 120_000, everyMs: 500 };

let space: TestSpace;
let ann: Client;
let agents: AgentSide;
let own: AgentSide;
const platform = useAgentSides({ removeOpenTurns: 'after all' }, (sides) => {
  ({ space, ann, agents, others: own } = sides);
});

const ctx = () => agents.ctxOf(space, ann);

describe('a turn that was lost', () => {
  const endTrial = () => platform.database.query(`delete from session.lost_work where kind = 'trial of turns'`);
  const otherCtx = async () => {
    const other = await platform.newSpace();
    return agents.ctxOf(other, await other.member());
  };
  /** Turns of a process that has ended, and that may be to blame for that. */
  const openSuspects = async (of: Ctx, count: number, secondsAgo: number): Promise<string[]> => {
    const keys: string[] = [];
    for (let n = 0; n < count; n += 1) keys.push((await agents.open(of, { agentId: newId() })).turn.key);
    await platform.database.query(
      `update session.turns set owner = null, claim_reason = 'lost', recoveries = 1, lost_at = now(),
         lease_until = now() - make_interval(secs => $2) where id = any($1)`,
      [keys, secondsAgo],
    );
    return keys;
  };
  /** As if its last turn that was lost had run for a while. */
  const letRun = (owner: string) =>
    platform.database.query(`update session.turns set taken_at = now() - interval '5 s' where owner = $1`, [owner]);
  const cancelRunning = () =>
    platform.database.query(
      `update session.turns set status = 'CANCELLED', finished_at = now() where status = 'RUNNING' and recoveries > 0`,
    );

  beforeEach(() => Promise.all([endTrial(), cancelRunning()]));
  afterEach(cancelRunning);

  it('lets a turn that waits be claimed after it, however many others were lost, but not during a trial', async () => {
    const suspects = await openSuspects(ctx(), 4, 60);
    const { turn: fresh } = await agents.open(await otherCtx(), { agentId: newId() });
    await agents.release([fresh]);
    const claim = async (othersFirst: boolean) => {
      await letRun(own.owner);
      const claimed = await own.claim({ othersFirst });
      return claimed
        .filter(({ turn: { key } }) => key === fresh.key || suspects.includes(key))
        .map(({ turn: { key }, isSuspect }) => [key === fresh.key ? 'fresh' : 'suspect', isSuspect]);
    };
    await beginTrial();
    expect(await claim(true)).toEqual([['suspect', true]]);
    await endTrial();
    expect(await claim(false)).toEqual([['suspect', true]]);
    expect(await claim(true)).toEqual([['fresh', false]]);
    expect(await claim(true)).toEqual([['suspect', true]]);
  });

  const beginTrial = () =>
    platform.database.query(
      `insert into session.lost_work (kind, id, losses) values ('trial of turns', '00000000-0000-0000-0000-000000000000', 1)`,
    );

  it('and waits for its host lets the next one be tried, until it goes on', async () => {
    const suspects = await openSuspects(ctx(), 3, 60);
    await beginTrial();
    const claim = async () => {
      await letRun(own.owner);
      return (await own.claim()).map(({ turn }) => turn).filter(({ key }) => suspects.includes(key));
    };
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await own.heartbeat([first!], { areWaiting: true });
    // A later note of requests beside it, and a heartbeat, change nothing of that.
    await own.heartbeat([first!], { hasRequests: true });
    await own.heartbeat([first!]);
    const [second] = await claim();
    expect(second?.key).not.toBe(first?.key);
    await own.heartbeat([second!], { areWaiting: true });
    await own.heartbeat([first!], { areWaiting: false });
    expect(await claim()).toEqual([]);
    await own.heartbeat([first!], { areWaiting: true });
    expect(await claim()).toHaveLength(1);
  });

  it('and waits for its host waits no longer when its process reads the answer', async () => {
    const suspects = await openSuspects(ctx(), 2, 60);
    await beginTrial();
    const claim = async () => {
      await letRun(own.owner);
      return (await own.claim()).map(({ turn }) => turn).filter(({ key }) => suspects.includes(key));
    };
    const reasonOf = async ({ key }: TurnRecord) => {
      const rows = await platform.database.query<{ claimReason: string | null }>(
        'select claim_reason as "claimReason" from session.turns where id = $1',
        [key],
      );
      return rows[0]?.claimReason;
    };
    const [turn] = await claim();
    await own.awaitTool(ctx(), turn!, 'call-1');
    await own.awaitTool(ctx(), turn!, 'call-2');
    await own.heartbeat([turn!], { areWaiting: true });
    await own.heartbeat([turn!], { hasRequests: true });
    await own.toolResults(ctx(), turn!, { callId: 'call-1' });
    expect(await reasonOf(turn!)).toBe('waiting beside requests');
    await own.submitTool(ctx(), turn!, 'call-1', 'yes');
    await own.toolResults(ctx(), turn!, { callId: 'call-2' });
    expect(await reasonOf(turn!)).toBe('waiting beside requests');
    await own.toolResults(ctx(), turn!, { callId: 'call-1' });
    expect(await reasonOf(turn!)).toBe('beside requests');
    expect(await claim()).toEqual([]);
  });

  it('and waits for its host is to blame if its process ends while no other lost turn runs there', async () => {
    const [waiting, running] = await openSuspects(ctx(), 2, 60);
    const end = async (claimReasons: Record<string, string | null>) => {
      for (const [key, reason] of Object.entries(claimReasons))
        await platform.database.query(
          `update session.turns set owner = 'gone', claim_reason = $2, taken_at = now(), lease_until = now() - interval '1 s' where id = $1`,
          [key, reason],
        );
      await until(async () => {
        await own.claim();
        const rows = await platform.database.query(`select from session.turns where id = any($1) and owner = 'gone'`, [
          Object.keys(claimReasons),
        ]);
        return rows.length === 0;
      }, PATIENCE);
      return platform.database.query<{ id: string; recoveries: number }>(
        'select id, recoveries from session.turns where id = any($1)',
        [suspects],
      );
    };
    const suspects = [waiting!, running!];
    const recoveries = (rows: { id: string; recoveries: number }[]) =>
      suspects.map((key) => rows.find(({ id }) => id === key)?.recoveries);
    expect(recoveries(await end({ [waiting!]: 'waiting', [running!]: null }))).toEqual([1, 2]);
    expect(recoveries(await end({ [waiting!]: 'waiting' }))).toEqual([2, 2]);
  });

  it('in a Space with few of them is claimed before most of a Space with many', async () => {
    const many = await openSuspects(ctx(), 4, 60);
    const [few] = await openSuspects(await otherCtx(), 1, 1);
    const claimed: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      await letRun(own.owner);
      claimed.push(...(await own.claim()).map(({ turn: { key } }) => key));
    }
    expect(claimed).toHaveLength(2);
    expect(claimed).toContain(few);
    expect(claimed.filter((key) => many.includes(key))).toHaveLength(1);
  });

  it('and is being claimed by another replica keeps no other from being claimed', async () => {
    const [first] = await openSuspects(ctx(), 1, 60);
    const [second] = await openSuspects(await otherCtx(), 1, 1);
    const letGo = await platform.database.hold(`select 1 from session.turns where id = '${first}' for update`);
    try {
      expect((await own.claim()).map(({ turn: { key } }) => key)).toEqual([second]);
    } finally {
      await letGo();
    }
  });
});
