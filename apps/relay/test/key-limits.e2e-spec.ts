import { type Client, type TestSpace, avoidMidnight, until, usePlatform } from '@switchyard/testing';
import { ask, balanceOf, expectLedgerAddsUp } from './support/money';

const platform = usePlatform();

const SMALL = { max_tokens: 30 };
const PROMPT = '@@usage 10 10\n@@reply hello';
const CONTENTS = [{ type: 'text', text: PROMPT }];

interface Use {
  used: number;
  reserved: number;
  cap: number | null;
  resetsAt: string;
}

describe('an API key with limits', () => {
  let space: TestSpace;

  beforeAll(async () => {
    space = await platform.newSpace();
  });

  const idOf = (key: Client): string => key.identity.keyId ?? '';
  const usageOf = async (key: Client): Promise<{ dailyTokens: Use; monthlyTokens: Use }> => {
    const reply = await space.owner.get(`/api-keys/${idOf(key)}/usage`);
    expect(reply.status).toBe(200);
    return reply.body.data;
  };
  const change = (key: Client, limits: object, by = space.owner) => by.put(`/api-keys/${idOf(key)}`, { limits });
  const newAgent = async (): Promise<string> => {
    const agent = { name: 'Limited', model: 'sim-chat', systemPrompt: 'Answer.' };
    const reply = await space.owner.post('/agents', agent);
    expect(reply.status).toBe(201);
    return reply.body.data.id as string;
  };

  it('shows its limits, which change field by field; null removes one', async () => {
    const made = await space.owner.post('/api-keys', {
      name: 'limited',
      limits: { dailyTokens: 5, models: ['sim-chat'] },
    });
    expect([made.status, made.body.data.limits]).toEqual([201, { dailyTokens: 5, models: ['sim-chat'] }]);
    const path = `/api-keys/${made.body.data.id}`;
    const changed = await space.owner.put(path, { limits: { dailyTokens: null, monthlyTokens: 0 } });
    expect([changed.status, changed.body.data.limits]).toEqual([200, { monthlyTokens: 0, models: ['sim-chat'] }]);
    expect((await space.owner.put(path, { name: 'renamed' })).body.data.limits).toEqual(changed.body.data.limits);
    expect((await space.owner.get(path)).body.data.limits).toEqual(changed.body.data.limits);
    for (const limits of [
      { dailyTokens: -1 },
      { monthlyTokens: 1.5 },
      { requestsPerMinute: 'many' },
      { models: 'sim-chat' },
      { agents: ['nobody'] },
      { hourlyTokens: 5 },
    ])
      expect([limits, (await space.owner.put(path, { limits })).status]).toEqual([limits, 400]);
  });

  it('gives no key, and not itself, more than it has; a key that it makes inherits', async () => {
    const key = await space.key({
      limits: { dailyTokens: 100, models: ['sim-chat', 'sim-embed'], requestsPerMinute: 90 },
    });
    const heir = await key.post('/api-keys', { name: 'heir' });
    expect(heir.body.data.limits).toEqual({
      dailyTokens: 100,
      models: ['sim-chat', 'sim-embed'],
      requestsPerMinute: 90,
    });
    const less = await key.post('/api-keys', {
      name: 'less',
      limits: { dailyTokens: 1, models: ['sim-embed'], agents: [] },
    });
    expect([less.status, less.body.data.limits]).toEqual([
      201,
      { dailyTokens: 1, models: ['sim-embed'], requestsPerMinute: 90, agents: [] },
    ]);
    for (const limits of [{ dailyTokens: 101 }, { dailyTokens: null }, { models: null }, { models: ['sim-other'] }]) {
      const refused = await key.post('/api-keys', { name: 'more', limits });
      expect([limits, refused.status, refused.body.code]).toEqual([limits, 403, 'FORBIDDEN']);
      expect((await change(key, limits, key)).status).toBe(403);
    }
    expect((await change(key, { dailyTokens: 99 }, key)).status).toBe(200);
    const unlimited = await space.key();
    expect((await key.post(`/api-keys/${idOf(unlimited)}/rotate`, {})).status).toBe(403);
    expect((await key.put(`/api-keys/${idOf(unlimited)}`, { name: 'only a name' })).status).toBe(200);
  });

  it('lets in one of 200 parallel calls on the budget of one', async () => {
    const key = await space.key({ limits: { dailyTokens: 20 } });
    const replies = await Promise.all(Array.from({ length: 200 }, () => ask(key, PROMPT, SMALL)));
    const done = replies.filter((reply) => reply.status === 200);
    expect(done).toHaveLength(1);
    for (const reply of replies) {
      if (reply.status === 200) continue;
      expect([reply.status, reply.body.code]).toEqual([429, 'DAILY_LIMIT_EXCEEDED']);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    const { dailyTokens, monthlyTokens } = await until(async () => {
      const usage = await usageOf(key);
      return usage.dailyTokens.reserved === 0 ? usage : null;
    });
    expect(dailyTokens).toMatchObject({ used: 20, reserved: 0, cap: 20 });
    expect(dailyTokens.resetsAt).toMatch(/T00:00:00.000Z$/);
    expect(monthlyTokens).toMatchObject({ used: 20, reserved: 0, cap: null });
    expect(monthlyTokens.resetsAt).toMatch(/-01T00:00:00.000Z$/);
    expect((await ask(space.owner, PROMPT, SMALL)).status).toBe(200);
    await expectLedgerAddsUp(platform, space);
  });

  it('is refused for its day before its month, and goes on when the limit is raised', async () => {
    const key = await space.key({ limits: { dailyTokens: 0, monthlyTokens: 0 } });
    expect((await ask(key, PROMPT, SMALL)).body.code).toBe('DAILY_LIMIT_EXCEEDED');
    expect((await change(key, { dailyTokens: null })).status).toBe(200);
    const monthly = await until(async () => {
      const reply = await ask(key, PROMPT, SMALL);
      return reply.body.code === 'MONTHLY_LIMIT_EXCEEDED' ? reply : null;
    });
    expect([monthly.status, Number(monthly.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await change(key, { monthlyTokens: 1_000 })).status).toBe(200);
    await until(async () => (await ask(key, PROMPT, SMALL)).status === 200);
  });

  it('counts each day and each month from 0, and a call where it ends', async () => {
    await avoidMidnight();
    const key = await space.key({ limits: { dailyTokens: 20, monthlyTokens: 60 } });
    /** Time goes on by making the account older. */
    const later = (change: string): Promise<unknown> =>
      platform.database.query(`update relay.key_accounts set ${change} where space_id = $1 and key_id = $2`, [
        space.id,
        idOf(key),
      ]);
    const used = async (): Promise<number[]> => {
      const { dailyTokens, monthlyTokens } = await until(async () => {
        const usage = await usageOf(key);
        return usage.dailyTokens.reserved === 0 ? usage : null;
      });
      return [dailyTokens.used, monthlyTokens.used];
    };
    for (const month of [20, 40, 60]) {
      expect((await ask(key, PROMPT, SMALL)).status).toBe(200);
      expect(await used()).toEqual([20, month]);
      expect((await ask(key, PROMPT, SMALL)).body.code).toBe('DAILY_LIMIT_EXCEEDED');
      await later('day = day - 1');
      expect(await used()).toEqual([0, month]);
    }
    expect((await ask(key, PROMPT, SMALL)).body.code).toBe('MONTHLY_LIMIT_EXCEEDED');
    await later(`month = (month - interval '1 month')::date`);
    expect(await used()).toEqual([0, 0]);
    // Held before midnight, settled after it: it is the new day that has used it.
    expect((await change(key, { dailyTokens: 1000, monthlyTokens: 1000 })).status).toBe(200);
    expect((await ask(key, PROMPT, SMALL)).status).toBe(200);
    expect(await used()).toEqual([20, 20]);
    const slow = ask(key, `@@delay 3000\n${PROMPT}`, SMALL);
    await until(async () => (await usageOf(key)).dailyTokens.reserved > 0);
    await later(`day = day - 1, month = (month - interval '1 month')::date`);
    expect((await slow).status).toBe(200);
    expect(await used()).toEqual([20, 20]);
  });

  it('counts what it used before it was limited', async () => {
    const key = await space.key();
    expect((await ask(key, PROMPT, SMALL)).status).toBe(200);
    expect((await until(async () => usageOf(key))).dailyTokens).toMatchObject({ used: 20, cap: null });
    expect((await change(key, { dailyTokens: 20 })).status).toBe(200);
    await until(async () => (await ask(key, PROMPT, SMALL)).body.code === 'DAILY_LIMIT_EXCEEDED');
    expect((await usageOf(key)).dailyTokens).toMatchObject({ used: expect.any(Number), cap: 20 });
    expect((await usageOf(key)).dailyTokens.used).toBeGreaterThanOrEqual(20);
  });

  it('counts chats, executes, jobs and embeddings of its caller', async () => {
    const agentId = await newAgent();
    const key = await space.key({ limits: { dailyTokens: 100_000 } });
    const usedBy = async (work: () => Promise<unknown>): Promise<number> => {
      const before = (await usageOf(key)).dailyTokens.used;
      await work();
      return until(async () => {
        const { used, reserved } = (await usageOf(key)).dailyTokens;
        return reserved === 0 && used > before ? used - before : null;
      });
    };
    expect(await usedBy(() => key.post(`/agents/${agentId}/chat`, { contents: CONTENTS, stream: false }))).toBe(20);
    expect(await usedBy(() => key.post(`/agents/${agentId}/execute`, { inputs: { query: PROMPT } }))).toBe(20);
    expect(
      await usedBy(() => key.post('/agent-jobs', { agentId, type: 'AGENT_INVOKE', input: { contents: CONTENTS } })),
    ).toBeGreaterThanOrEqual(20);
    expect(
      await usedBy(() => key.raw('POST', '/models/v1/embeddings', { model: 'sim-embed', input: 'a text' })),
    ).toBeGreaterThan(0);
    expect((await change(key, { dailyTokens: 1 })).status).toBe(200);
    const refused = await until(async () => {
      const reply = await key.post(`/agents/${agentId}/chat`, { contents: CONTENTS, stream: false });
      return reply.status === 429 ? reply : null;
    });
    expect(refused.body.code).toBe('DAILY_LIMIT_EXCEEDED');
    const job = await key.post('/agent-jobs', {
      agentId,
      type: 'AGENT_INVOKE',
      input: { contents: CONTENTS },
      maxAttempts: 1,
    });
    if (job.status === 429) expect(job.body.code).toBe('DAILY_LIMIT_EXCEEDED');
    else {
      const failed = await until(async () => {
        const { data } = (await key.get(`/agent-jobs/${job.body.data.id}`)).body;
        return data.phase === 'FAILED' ? data : null;
      });
      expect(failed.error.code).toBe('DAILY_LIMIT_EXCEEDED');
    }
  });

  describe('whose tasks run', () => {
    const step = (agentId: string) => ({ id: 'ask', type: 'agent', with: { agentId, inputs: { query: PROMPT } } });
    const ended = (executionId: string) =>
      until(async () => {
        const { data } = (await space.owner.get(`/tasks/executions/${executionId}`)).body;
        return ['SUCCEEDED', 'FAILED'].includes(data.status) && data;
      });
    const run = async (client: Client, taskId: string) => {
      const reply = await client.post(`/tasks/${taskId}/execute`, {});
      expect(reply.status).toBe(202);
      return ended(reply.body.data.id);
    };
    const task = async (client: Client, agentId: string, more: object = {}): Promise<string> =>
      (await client.post('/tasks', { name: 'Asks', type: 'MANUAL', steps: [step(agentId)], ...more })).body.data.id;
    const used = async (key: Client): Promise<number> => (await usageOf(key)).dailyTokens.used;

    it('pays for those that it starts, starts again or retries, and for no other', async () => {
      const agentId = await newAgent();
      const key = await space.key({ limits: { dailyTokens: 20 } });
      const [theirs, own] = [await task(space.owner, agentId), await task(key, agentId)];
      expect((await run(space.owner, own)).status).toBe('SUCCEEDED');
      expect(await used(key)).toBe(0);
      const first = await run(key, theirs);
      expect(first.status).toBe('SUCCEEDED');
      await until(async () => (await used(key)) === 20);
      const second = await run(key, theirs);
      expect(second).toMatchObject({ status: 'FAILED', error: { code: 'DAILY_LIMIT_EXCEEDED' } });
      const again = await key.post(`/tasks/executions/${first.id}/rerun`, {});
      expect((await ended(again.body.data.id)).error.code).toBe('DAILY_LIMIT_EXCEEDED');
      expect((await key.post(`/tasks/executions/${second.id}/retry`, {})).status).toBe(202);
      expect((await ended(second.id)).error.code).toBe('DAILY_LIMIT_EXCEEDED');
      expect((await space.owner.post(`/tasks/executions/${second.id}/retry`, {})).status).toBe(202);
      expect((await ended(second.id)).status).toBe('SUCCEEDED');
      expect(await used(key)).toBe(20);
    });

    it('runs no agent in them that it may not call', async () => {
      const [allowed, other] = [await newAgent(), await newAgent()];
      const key = await space.key({ limits: { agents: [allowed] } });
      expect((await run(key, await task(space.owner, allowed))).status).toBe('SUCCEEDED');
      const refused = await run(key, await task(space.owner, other));
      expect(refused).toMatchObject({ status: 'FAILED', error: { code: 'FORBIDDEN' } });
    });

    it('pays for what it saved and an event starts', async () => {
      const agentId = await newAgent();
      const key = await space.key({ limits: { dailyTokens: 1_000 } });
      const identifier = `limits-${key.identity.keyId}`;
      const manifest = {
        identifier,
        name: 'Limits',
        version: '1.0.0',
        events: [{ name: 'happened', schema: { type: 'object' } }],
      };
      const app = (await space.owner.post('/applications', { manifest })).body.data;
      const taskId = await task(key, agentId, { type: 'EVENT' });
      const subscription = { appIdentifier: identifier, event: 'happened', taskId };
      expect((await space.owner.post('/events/subscriptions', subscription)).status).toBe(201);
      const emission = { appIdentifier: identifier, event: 'happened', payload: {} };
      const emitted = await space.owner.as(`Bearer ${app.systemApiKey as string}`).post('/events/emit', emission);
      expect(emitted.status).toBe(202);
      await until(async () => (await used(key)) === 20);
      // The next call takes the lease over with its cost.
      expect((await space.owner.put(`/tasks/${taskId}`, { name: 'Taken over' })).status).toBe(200);
      await space.owner.as(`Bearer ${app.systemApiKey as string}`).post('/events/emit', emission);
      await until(async () => {
        const { data } = (await space.owner.get(`/tasks/${taskId}/executions?status=SUCCEEDED`)).body;
        return data.length === 2;
      });
      expect(await used(key)).toBe(20);
    });

    it('bounds what it saved and a schedule starts, also when its record has gone', async () => {
      const agentId = await newAgent();
      const key = await space.key({ limits: { dailyTokens: 0 } });
      const schedule = { cron: '0 0 1 1 *', timezone: 'UTC', misfire: 'RUN_ONCE' };
      const taskId = await task(key, agentId, { type: 'SCHEDULE', active: true, schedule });
      const path = `/api-keys/${idOf(key)}`;
      expect((await space.owner.post(`${path}/revoke`, {})).status).toBe(200);
      await platform.database.query(
        `update key.api_keys set revoked_at = now() - interval '91 days', created_at = now() - interval '92 days' where id = $1`,
        [idOf(key)],
      );
      await until(async () => (await space.owner.get(path)).status === 404, { timeoutMs: 60_000 });
      await platform.database.query('update task.tasks set next_run_at = now() where id = $1', [taskId]);
      const started = await until(
        async () => (await space.owner.get(`/tasks/${taskId}/executions`)).body.data[0]?.id as string | undefined,
        { timeoutMs: 60_000 },
      );
      expect(await ended(started)).toMatchObject({ status: 'FAILED', error: { code: 'DAILY_LIMIT_EXCEEDED' } });
      // It is the Space's own again when another person saves it.
      expect((await space.owner.put(`/tasks/${taskId}`, { name: 'Taken over' })).status).toBe(200);
      expect((await run(space.owner, taskId)).status).toBe('SUCCEEDED');
    });
  });

  it('misses nothing that is settled while its first limit is written', async () => {
    const own = await platform.newSpace();
    const key = await own.key();
    let isAnswered = false;
    const call = ask(key, '@@delay 2000\n@@usage 10 10\n@@reply hello', SMALL).finally(() => (isAnswered = true));
    await until(async () => (await balanceOf(own.owner)).reserved > 0);
    // As where a relay writes the account of a key: settlements wait for the account of the Space meanwhile.
    const letGo = await platform.database.hold(`select 1 from relay.accounts where space_id = '${own.id}' for update`);
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%accounts%'`;
    await until(async () => isAnswered || (await platform.database.query(waiting)).length > 0);
    await platform.database.query(
      `insert into relay.key_accounts (space_id, key_id, daily_used, day, monthly_used, month)
       select $1, $2, coalesce(sum(-tokens), 0), current_date, coalesce(sum(-tokens), 0), date_trunc('month', now())
       from relay.ledger where space_id = $1 and key_id = $2`,
      [own.id, idOf(key)],
    );
    await letGo();
    expect((await call).status).toBe(200);
    await until(async () => (await balanceOf(own.owner)).reserved === 0);
    const usage = (await own.owner.get(`/api-keys/${idOf(key)}/usage`)).body.data;
    expect(usage.dailyTokens.used).toBe(20);
  });

  it('calls no more requests a minute than it may', async () => {
    const key = await space.key({ limits: { requestsPerMinute: 3 } });
    const replies = [];
    for (let n = 0; n < 8; n += 1) replies.push(await key.get('/agents'));
    expect(replies[0]?.headers['ratelimit-limit']).toBe('3');
    const refused = replies.filter((reply) => reply.status === 429);
    // The minute may turn once while they are sent.
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect([refused[0]?.body.code, Number(refused[0]?.headers['retry-after']) > 0]).toEqual(['RATE_LIMITED', true]);
    const none = await space.key({ limits: { requestsPerMinute: 0 } });
    expect((await none.get('/agents')).status).toBe(429);
  });

  it('finds only the models that it may call, and its agents call any', async () => {
    const agentId = await newAgent();
    const key = await space.key({ limits: { models: ['sim-embed'] } });
    const listed = await key.raw('GET', '/models/v1/models');
    expect(listed.body.data.map((model: { id: string }) => model.id)).toEqual(['sim-embed']);
    expect((await key.raw('GET', '/models/v1/models/sim-embed')).status).toBe(200);
    expect((await key.raw('GET', '/models/v1/models/sim-chat')).status).toBe(404);
    const refused = await ask(key, PROMPT, SMALL);
    expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    const other = await key.raw('POST', '/models/v1/images/generations', { model: 'sim-image', prompt: 'a house' });
    expect(other.status).toBe(404);
    expect((await key.raw('POST', '/models/v1/embeddings', { model: 'sim-embed', input: 'x' })).status).toBe(200);
    expect((await key.post(`/agents/${agentId}/chat`, { contents: CONTENTS, stream: false })).status).toBe(200);
    const none = await space.key({ limits: { models: [] } });
    expect((await none.raw('GET', '/models/v1/models')).body.data).toEqual([]);
  });

  it('calls only the agents that it may call, and reads all', async () => {
    const [allowed, other] = [await newAgent(), await newAgent()];
    const key = await space.key({ limits: { agents: [allowed] } });
    expect((await key.post(`/agents/${allowed}/chat`, { contents: CONTENTS, stream: false })).status).toBe(200);
    const calls = {
      chat: () => key.post(`/agents/${other}/chat`, { contents: CONTENTS, stream: false }),
      execute: () => key.post(`/agents/${other}/execute`, { inputs: { query: PROMPT } }),
      job: () => key.post('/agent-jobs', { type: 'AGENT_INVOKE', agentId: other, input: { contents: CONTENTS } }),
    };
    for (const [name, call] of Object.entries(calls)) {
      const reply = await call();
      expect([name, reply.status, reply.body.code]).toEqual([name, 403, 'FORBIDDEN']);
    }
    expect((await key.get(`/agents/${other}/mcp/tools`)).status).toBe(403);
    expect((await key.get(`/agents/${allowed}/mcp/tools`)).status).toBe(200);
    expect((await key.get(`/agents/${other}`)).status).toBe(200);
    const listed = async (query: string): Promise<string[]> =>
      (await key.get(`/agents?limit=100${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual(expect.arrayContaining([allowed, other]));
    expect(await listed('&accessibleOnly=true')).toEqual([allowed]);
    const none = await space.key({ limits: { agents: [] } });
    expect((await none.get('/agents?accessibleOnly=true')).body.data).toEqual([]);
    const answer = await space.owner.post(`/agents/${other}/chat`, { contents: CONTENTS, stream: false });
    const session = `/agents/${other}/sessions/${answer.body.data.session_id}`;
    expect((await key.get(`${session}/interactions/pending`)).status).toBe(200);
    expect((await key.post(`${session}/context/status`, {})).status).toBe(200);
  });

  it('has a usage that only those may read who may read the key', async () => {
    const key = await space.key({ limits: { dailyTokens: 10 } });
    const stranger = (await platform.newSpace()).owner;
    expect((await stranger.get(`/api-keys/${idOf(key)}/usage`)).status).toBe(404);
    const member = await space.member('MEMBER');
    expect((await member.get(`/api-keys/${idOf(key)}/usage`)).status).toBe(404);
    expect((await key.get(`/api-keys/${idOf(key)}/usage`)).body.data.dailyTokens).toMatchObject({ used: 0, cap: 10 });
    expect((await balanceOf(space.owner)).reserved).toBeGreaterThanOrEqual(0);
  });
});
