import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until } from '@switchyard/testing';
import { AgentSide } from './agent-side';
import { useAgentSides } from './agent-sides';

let space: TestSpace;
let ann: Client;
let agents: AgentSide;
let others: AgentSide;
const platform = useAgentSides({ removeOpenTurns: 'after all' }, (sides) => {
  ({ space, ann, agents, others } = sides);
});

const ctx = () => agents.ctxOf(space, ann);

const PATIENCE = { timeoutMs: 120_000 };

describe('a lease', () => {
  it('passes to another replica when its holder is silent, and fences the old one', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.saveCheckpoint(ctx(), turn, { step: 2 });
    await platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
      turn.key,
    ]);
    const claimed = await until(async () => (await others.claim()).find((claim) => claim.turn.key === turn.key));
    expect(claimed).toMatchObject({
      reason: 'lost',
      exhausted: false,
      state: { step: 2 },
      turn: { epoch: 2, owner: others.owner },
    });
    expect(claimed.identity).toMatchObject({ spaceId: space.id, userId: ann.identity.userId });
    await expect(agents.saveCheckpoint(ctx(), turn, { step: 3 })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(agents.closeTurn(ctx(), turn)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(agents.pause(ctx(), turn)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await agents.heartbeat([turn])).toEqual({ lost: [turn.key], cancelRequested: [] });
    expect((await others.closeTurn(ctx(), claimed.turn)).context).toMatchObject({ messageCount: 2 });
    expect((await others.get(ctx(), turn.id)).status).toBe('COMPLETED');
  });

  it('stays with a holder that is heard of', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
      turn.key,
    ]);
    expect(await agents.heartbeat([turn])).toEqual({ lost: [], cancelRequested: [] });
    expect((await others.claim()).map((claim) => claim.turn.key)).not.toContain(turn.key);
    await agents.closeTurn(ctx(), turn);
  });

  it('is given to one of many claimants', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.release([turn]);
    const claims = (await Promise.all(Array.from({ length: 10 }, () => others.claim()))).flat();
    const ours = claims.filter((claim) => claim.turn.key === turn.key);
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatchObject({ reason: 'released', exhausted: false });
    await others.closeTurn(ctx(), ours[0]?.turn ?? turn);
  });

  it('ends as failed with its second loss, if it ran alone, and is not given to a third process', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const own = await AgentSide.connect(platform);
    const lose = () =>
      platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
        turn.key,
      ]);
    await lose();
    await until(async () => (await own.claim()).find(({ turn: { key } }) => key === turn.key));
    await lose();
    const [row] = await until(async () => {
      await own.claim();
      const rows = await platform.database.query<{ status: string; error: { code: string }; recoveries: number }>(
        'select status, error, recoveries from session.turns where id = $1',
        [turn.key],
      );
      return rows[0]?.status === 'RUNNING' ? null : rows;
    });
    expect(row).toMatchObject({ status: 'FAILED', error: { code: 'RUNTIME_UNAVAILABLE' }, recoveries: 2 });
    const given =
      'select kind, losses, space_id from session.lost_work where shown_id = $1 and given_up_at is not null';
    expect(await platform.database.query(given, [turn.id])).toEqual([{ kind: 'turn', losses: 2, space_id: space.id }]);
    await own.close();
  });

  it('keeps no input of an unstored turn that was given up, and refuses its retry', async () => {
    const input = { isUnstored: true, source: 'job', query: 'a secret' };
    const { turn } = await agents.open(ctx(), { agentId: newId(), input });
    await agents.saveCheckpoint(ctx(), turn, { said: 'a secret' });
    const own = await AgentSide.connect(platform);
    const lose = () =>
      platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
        turn.key,
      ]);
    await lose();
    await until(async () => (await own.claim()).find(({ turn: { key } }) => key === turn.key));
    await lose();
    const [row] = await until(async () => {
      await own.claim();
      const rows = await platform.database.query<{ input: unknown; state: unknown }>(
        `select input, state from session.turns where id = $1 and status = 'FAILED'`,
        [turn.key],
      );
      return rows.length > 0 ? rows : null;
    });
    await own.close();
    expect(row).toEqual({ input: { source: 'job', isUnstored: true }, state: null });
    const operator = await platform.operator();
    expect((await operator.post(`/operator/poisoned/${turn.id}/retry`, {})).status).toBe(409);
    const failed = `select 1 from session.turns where turn_id = $1 and status = 'FAILED'`;
    expect(await platform.database.query(failed, [turn.id])).toHaveLength(1);
  });

  it('is listed for each Space where two have given their turns the same id', async () => {
    const operator = await platform.operator();
    const other = await platform.newSpace();
    const member = await other.member();
    const turnId = newId();
    const opened = await Promise.all([
      agents.open(ctx(), { agentId: newId(), turnId }),
      agents.open(agents.ctxOf(other, member), { agentId: newId(), turnId }),
    ]);
    for (const { turn } of opened)
      await platform.database.query(
        `update session.turns set owner = $2, recoveries = 1, lost_at = now(), taken_at = now(), lease_until = now() - interval '1 s'
         where id = $1`,
        [turn.key, `gone-${turn.key}`],
      );
    const rows = await until(async () => {
      await others.claim();
      const { body } = await operator.get('/operator/poisoned?kind=turn&limit=100');
      const own = (body.data as { id: string; spaceId: string }[]).filter(({ id }) => id === turnId);
      return own.length === 2 ? own : null;
    });
    expect(new Set(rows.map(({ spaceId }) => spaceId))).toEqual(new Set([space.id, other.id]));
  });

  it('is no loss where its holder said that it stops, and could not give it back', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const own = await AgentSide.connect(platform);
    await agents.announceStop([turn]);
    expect(await agents.heartbeat([turn])).toEqual({ lost: [], cancelRequested: [] });
    const lose = () =>
      platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
        turn.key,
      ]);
    const recoveries = async () =>
      (await platform.database.query('select recoveries from session.turns where id = $1', [turn.key]))[0];
    await lose();
    const claimed = await until(async () => (await own.claim()).find(({ turn: { key } }) => key === turn.key));
    expect([claimed.reason, await recoveries()]).toEqual(['released', { recoveries: 0 }]);
    // The next holder has said nothing of the kind.
    await lose();
    const again = await until(async () => (await own.claim()).find(({ turn: { key } }) => key === turn.key));
    expect([again.reason, await recoveries()]).toEqual(['lost', { recoveries: 1 }]);
    await own.closeTurn(ctx(), again.turn);
    await own.close();
  });

  it('is no loss where it ran out because no heartbeat could be stored', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const own = await AgentSide.connect(platform);
    const session = platform.service('session');
    session.pause();
    try {
      await until(async () => {
        const [row] = await platform.database.query<{ isOver: boolean }>(
          'select lease_until < clock_timestamp() as "isOver" from session.turns where id = $1',
          [turn.key],
        );
        return row?.isOver;
      });
    } finally {
      session.resume();
    }
    // Others may look before the holder is heard of.
    expect((await own.claim()).map(({ turn: { key } }) => key)).not.toContain(turn.key);
    expect(await agents.heartbeat([turn])).toEqual({ lost: [], cancelRequested: [] });
    await agents.closeTurn(ctx(), turn);
    await own.close();
  });

  const rowsOf = (keys: readonly string[]) =>
    platform.database.query<{ id: string; status: string; recoveries: number }>(
      'select id, status, recoveries from session.turns where id = any($1)',
      [keys],
    );
  const endTrial = () => platform.database.query(`delete from session.lost_work where kind = 'trial of turns'`);

  it('lost together with another lost turn counts for neither: they run one at a time, and the one that is lost alone is given up', async () => {
    await endTrial();
    const keys: string[] = [];
    for (let n = 0; n < 2; n += 1) keys.push((await agents.open(ctx(), { agentId: newId() })).turn.key);
    const own = await AgentSide.connect(platform);
    // Both ran for an hour in one process, and for the second time.
    await platform.database.query(
      `update session.turns set owner = 'gone', recoveries = 1, lost_at = now(), taken_at = now() - interval '1 hour',
         lease_until = now() - interval '1 s' where id = any($1)`,
      [keys],
    );
    const claim = async (): Promise<string[]> =>
      (await own.claim()).map(({ turn: { key } }) => key).filter((key) => keys.includes(key));
    const first = await until(async () => {
      const claimed = await claim();
      expect(claimed.length).toBeLessThanOrEqual(1);
      return claimed[0];
    });
    expect((await rowsOf(keys)).map(({ status, recoveries }) => [status, recoveries])).toEqual([
      ['RUNNING', 1],
      ['RUNNING', 1],
    ]);
    // However long ago it was taken up: during the trial none comes beside it.
    await platform.database.query(`update session.turns set taken_at = now() - interval '5 s' where id = $1`, [first]);
    expect(await claim()).toEqual([]);
    await platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
      first,
    ]);
    const rows = await until(async () => {
      await claim();
      const found = await rowsOf(keys);
      return found.some(({ status }) => status === 'FAILED') ? found : null;
    });
    expect(new Map(rows.map(({ id, status, recoveries }) => [id, [status, recoveries]]))).toEqual(
      new Map(keys.map((key) => [key, key === first ? ['FAILED', 2] : ['RUNNING', 1]])),
    );
    await own.close();
  });

  it('that waits is not claimed beside one that was lost, until that has run for a moment', async () => {
    await endTrial();
    const own = await AgentSide.connect(platform);
    const { turn: suspect } = await own.open(ctx(), { agentId: newId() });
    const { turn: fresh } = await agents.open(ctx(), { agentId: newId() });
    await platform.database.query(
      `update session.turns set recoveries = 1, lost_at = now(), taken_at = clock_timestamp() + interval '1 minute' where id = $1`,
      [suspect.key],
    );
    await agents.release([fresh]);
    const claim = async () => (await own.claim()).map(({ turn: { key } }) => key).filter((key) => key === fresh.key);
    expect(await claim()).toEqual([]);
    await platform.database.query(`update session.turns set taken_at = now() - interval '5 s' where id = $1`, [
      suspect.key,
    ]);
    expect(await until(async () => (await claim())[0])).toBe(fresh.key);
    for (const turn of [suspect, fresh])
      await platform.database.query(
        `update session.turns set status = 'CANCELLED', finished_at = now() where id = $1`,
        [turn.key],
      );
    await own.close();
  });

  it('is not given up for a fresh turn that began after it in the same process', async () => {
    await endTrial();
    const own = await AgentSide.connect(platform);
    const { turn } = await own.open(ctx(), { agentId: newId() });
    await platform.database.query(
      `update session.turns set recoveries = 1, lost_at = now(), taken_at = clock_timestamp() where id = $1`,
      [turn.key],
    );
    const { turn: fresh } = await own.open(ctx(), { agentId: newId() });
    const keys = [turn.key, fresh.key];
    await platform.database.query(
      `update session.turns set owner = 'gone', lease_until = now() - interval '1 s' where id = any($1)`,
      [keys],
    );
    const rows = await until(async () => {
      await own.claim();
      const found = await rowsOf(keys);
      return found.every(({ recoveries }) => recoveries > 0) ? found : null;
    });
    expect(rows.map(({ status, recoveries }) => [status, recoveries])).toEqual([
      ['RUNNING', 1],
      ['RUNNING', 1],
    ]);
    await own.close();
  });

  it.each(['requests', 'fresh turns'])(
    'is not given up beside %s that began later, but is for the second time',
    async (company) => {
      await endTrial();
      const own = await AgentSide.connect(platform);
      const { turn } = await own.open(ctx(), { agentId: newId() });
      // Its first loss, beside another turn.
      await platform.database.query(
        `insert into session.lost_work (kind, id, losses) values ('trial of turns', $1, 1)`,
        ['00000000-0000-0000-0000-000000000000'],
      );
      await platform.database.query(
        `update session.turns set recoveries = 1, lost_at = now(), taken_at = clock_timestamp() where id = $1`,
        [turn.key],
      );
      /** The process of the turn ends. The work that ran with it is not tried again. */
      const endWithOthers = async (lease: { key: string; epoch: number }): Promise<void> => {
        const keys = [turn.key];
        if (company === 'requests') await own.heartbeat([lease], { hasRequests: true });
        else keys.push((await own.open(ctx(), { agentId: newId() })).turn.key);
        await platform.database.query(
          `update session.turns set owner = 'gone', lease_until = now() - interval '1 s' where id = any($1)`,
          [keys],
        );
        const areCounted = async (): Promise<boolean> => {
          const rows = await platform.database.query(
            `select from session.turns where id = any($1) and owner = 'gone'`,
            [keys],
          );
          return rows.length === 0;
        };
        await until(async () => {
          await others.claim();
          return areCounted();
        }, PATIENCE);
        await platform.database.query(
          `update session.turns set status = 'CANCELLED', finished_at = now() where id = any($1)`,
          [keys.slice(1)],
        );
        await platform.database.query(
          `update session.turns set owner = null, claim_reason = 'lost', lease_until = now() where id = $1 and status = 'RUNNING'`,
          [turn.key],
        );
      };
      await endWithOthers(turn);
      const again = await until(
        async () => (await own.claim()).find(({ turn: { key } }) => key === turn.key),
        PATIENCE,
      );
      expect((await rowsOf([turn.key])).map(({ status, recoveries }) => [status, recoveries])).toEqual([
        ['RUNNING', 1],
      ]);
      await endWithOthers(again.turn);
      await until(async () => {
        await own.claim();
        return (await rowsOf([turn.key]))[0]?.status === 'FAILED';
      }, PATIENCE);
      await own.close();
    },
  );

  it('that is put off is claimed again later each time, for the same reason, and is no recovery until that was too often', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const row = async () =>
      (
        await platform.database.query<{ wait: number; recoveries: number; owner: string | null }>(
          `select extract(epoch from lease_until - clock_timestamp())::float as wait, recoveries, owner
           from session.turns where id = $1`,
          [turn.key],
        )
      )[0];
    const claimNow = async () => {
      await platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
        turn.key,
      ]);
      return until(async () => (await others.claim()).find(({ turn: { key } }) => key === turn.key));
    };
    const waits: number[] = [];
    for (let n = 0; n < 15; n += 1) {
      const claim = await claimNow();
      expect([claim.reason, claim.exhausted]).toEqual(['lost', false]);
      await others.defer(claim.turn, claim.reason);
      const remaining = await row();
      expect(remaining).toMatchObject({ owner: null, recoveries: 1 });
      waits.push(remaining?.wait ?? 0);
      // A former worker cannot delay it again.
      await others.defer({ key: turn.key, epoch: turn.epoch }, 'answered');
    }
    // Later each time, a minute at most; some of it has passed when it is read.
    for (const [n, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(Math.min(60, 2 ** n));
    expect(waits.at(-1)).toBeGreaterThan(30);
    const last = await claimNow();
    await others.defer(last.turn, last.reason);
    expect(await row()).toMatchObject({ owner: others.owner, recoveries: 1 });
    // Others that were lost would run beside it: then no loss of it counts.
    await platform.database.query(
      `update session.turns set status = 'CANCELLED', finished_at = now() where space_id = $1 and status = 'RUNNING' and id <> $2`,
      [space.id, turn.key],
    );
    const ended = await until(async () => {
      await platform.database.query(`update session.turns set lease_until = now() - interval '1 s' where id = $1`, [
        turn.key,
      ]);
      await others.claim();
      const rows = await platform.database.query<{ status: string }>('select status from session.turns where id = $1', [
        turn.key,
      ]);
      return rows[0]?.status !== 'RUNNING' && rows;
    });
    expect(ended).toEqual([{ status: 'FAILED' }]);
  });
});
