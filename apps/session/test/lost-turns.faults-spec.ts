import type { Ctx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import type { Client, TestSpace } from '@switchyard/testing';
import type { AgentSide } from './agent-side';
import { useAgentSides } from './agent-sides';

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
    await platform.database.query(
      `insert into session.lost_work (kind, id, losses) values ('trial of turns', '00000000-0000-0000-0000-000000000000', 1)`,
    );
    expect(await claim(true)).toEqual([['suspect', true]]);
    await endTrial();
    expect(await claim(false)).toEqual([['suspect', true]]);
    expect(await claim(true)).toEqual([['fresh', false]]);
    expect(await claim(true)).toEqual([['suspect', true]]);
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
