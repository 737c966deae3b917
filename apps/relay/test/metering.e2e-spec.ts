import { prepareDatabase } from '@switchyard/database';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, avoidMidnight, until, usePlatform } from '@switchyard/testing';
import { preleasedIn, ask, balanceOf, expectLedgerAddsUp, setBalance, settled } from './support/money';

const platform = usePlatform();
const INITIAL = 1_000_000;
/** After a change by hand nothing is held ahead for a second. */
const CALM_MS = 1_200;

beforeEach(avoidMidnight);

/** Reads an answer to its end and drops it. */
async function drain(frames: AsyncGenerator): Promise<void> {
  for await (const _ of frames);
}

describe('the balance', () => {
  it('starts with the tokens of every Space and falls by what calls use', async () => {
    const space = await platform.newSpace();
    expect(await balanceOf(space.owner)).toMatchObject({
      balance: INITIAL,
      reserved: 0,
      dailyUsed: 0,
      dailyCap: null,
      minimumBalance: null,
    });
    await ask(space.owner, '@@usage 100 23\n@@reply x');
    await ask(space.owner, '@@usage 7 5\n@@reply x', { stream: true });
    await space.owner.raw('POST', '/models/v1/embeddings', { model: 'sim-embed', input: 'one two' });
    expect(await balanceOf(space.owner)).toMatchObject({
      balance: INITIAL - 123 - 12 - 2,
      reserved: 0,
      dailyUsed: 137,
    });
    await expectLedgerAddsUp(platform, space);
  });

  it('is not credited by its OWNER, who hears where an operator does it', async () => {
    const space = await platform.newSpace();
    for (const client of [space.owner, await space.member('ADMIN')])
      expect((await client.post('/usage/credits', { tokens: 5 })).status).toBe(403);
    const { body } = await space.owner.post('/usage/credits', { tokens: 5 });
    expect([body.code, body.message]).toEqual(['FORBIDDEN', expect.stringContaining('/operator/spaces/{id}/credits')]);
    expect((await balanceOf(space.owner)).balance).toBe(INITIAL);
  });

  it('is credited by an operator, once per key, and corrected below 0', async () => {
    const space = await platform.newSpace();
    const path = `/operator/spaces/${space.id}/credits`;
    const gift = { tokens: 500, note: 'gift', idempotencyKey: `gift of ${space.id}` };
    const first = await space.operator.post(path, gift);
    expect([first.status, first.body.data]).toEqual([
      201,
      expect.objectContaining({ type: 'CREDIT', tokens: 500, balanceAfter: INITIAL + 500, note: 'gift' }),
    ]);
    const again = await space.operator.post(path, gift);
    expect([again.body.data.id, again.headers['idempotency-replayed']]).toEqual([first.body.data.id, 'true']);
    expect((await space.operator.post(path, { ...gift, tokens: 501 })).status).toBe(409);
    const correction = await space.operator.post(path, { tokens: -2 * INITIAL });
    expect(correction.body.data).toMatchObject({ type: 'CORRECTION', balanceAfter: 500 - INITIAL });
    const nothing = await space.operator.post(path, { tokens: 0 });
    expect([nothing.status, nothing.body.message]).toEqual([
      400,
      'tokens: must be more than 0, or less than 0 to reduce the balance',
    ]);
    expect((await space.operator.post(path, { tokens: 1.5 })).status).toBe(400);
    expect((await space.operator.post(path, { tokens: 1, gift: true })).status).toBe(400);
    const refused = await ask(space.owner, 'x');
    expect([refused.status, refused.body.code, refused.headers['x-should-retry']]).toEqual([
      402,
      'INSUFFICIENT_TOKENS',
      'false',
    ]);
    await expectLedgerAddsUp(platform, space);
  });

  it('is overdrawn by at most the longest answer, for any request', async () => {
    const space = await platform.newSpace();
    for (const extra of [{}, { max_tokens: 100_000 }]) {
      await setBalance(space, 10);
      expect((await ask(space.owner, '@@tokens 20000', extra)).body.choices[0].finish_reason).toBe('length');
      expect((await settled(space.owner)).balance).toBe(10 - 2 - 4096);
    }
  });

  it('holds the longest answer for every choice', async () => {
    const space = await platform.newSpace();
    const leaving = new AbortController();
    const running = space.owner.raw(
      'POST',
      '/models/v1/chat/completions',
      { model: 'sim-chat', n: 3, messages: [{ role: 'user', content: '@@delay 300000\n@@reply x' }] },
      { signal: leaving.signal },
    );
    running.catch(() => undefined);
    await until(async () => (await balanceOf(space.owner)).reserved > 3 * 4096);
    leaving.abort();
    await settled(space.owner);
  });

  it('is asked even when the last calls left no doubt about it', async () => {
    const space = await platform.newSpace();
    await setBalance(space, 1_000_000_000);
    for (const stream of [false, true])
      expect((await ask(space.owner, '@@usage 1 1\n@@reply x', { stream })).status).toBe(200);
    await until(async () => (await preleasedIn(platform, space)) === 0);
    // Behind the relay's back, as another replica's calls would: what it has seen still leaves no doubt.
    await platform.database.query('update relay.accounts set balance = 0 where space_id = $1', [space.id]);
    const refused = await ask(space.owner, '@@delay 100\n@@reply x', { stream: true });
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
    expect(await balanceOf(space.owner)).toMatchObject({ balance: 0, reserved: 0, dailyUsed: 4 });
  });

  it('is not asked for each call while there is ample room, and asked for those that go further', async () => {
    const space = await platform.newSpace();
    await setBalance(space, 1_000_000_000);
    await sleep(CALM_MS);
    for (let calls = 0; calls < 3; calls += 1) await ask(space.owner, '@@usage 1 1\n@@reply x');
    expect(await preleasedIn(platform, space)).toBeGreaterThan(0);
    expect(await balanceOf(space.owner)).toMatchObject({ reserved: 0 });
    const shown = async (client: Client): Promise<boolean> => {
      const body = { model: 'sim-chat', stream: true, messages: [{ role: 'user', content: '@@usage 1 1\n@@reply x' }] };
      const { frames } = await client.rawStream('POST', '/models/v1/chat/completions', body);
      const first = await frames.next();
      void drain(frames);
      return first.value.data.object === 'chat.completion.chunk';
    };
    // For a key nothing is held ahead yet.
    const key = await space.key();
    const letGo = await platform.database.hold(
      `select 1 from relay.accounts where space_id = '${space.id}' for update`,
    );
    const shownToKey = shown(key);
    expect(await shown(space.owner)).toBe(true);
    expect(await Promise.race([shownToKey, sleep(300).then(() => 'not shown')])).toBe('not shown');
    await letGo();
    expect(await shownToKey).toBe(true);
    await until(async () => (await balanceOf(space.owner)).dailyUsed === 10);
    expect(await settled(space.owner)).toMatchObject({ dailyUsed: 10 });
  });

  it('is overdrawn by no call, however many are let in by what is held ahead', async () => {
    const space = await platform.newSpace();
    await setBalance(space, 5_000);
    let isSpent = false;
    const caller = async (): Promise<void> => {
      while (!isSpent) {
        const { status, body } = await ask(space.owner, '@@usage 4 6\n@@reply x', { max_tokens: 6 });
        if (status !== 200) expect([status, body.code]).toEqual([402, 'INSUFFICIENT_TOKENS']);
        isSpent ||= status !== 200;
      }
    };
    await Promise.all(Array.from({ length: 20 }, caller));
    const { balance } = await settled(space.owner);
    expect([balance > -10, balance < 500]).toEqual([true, true]);
    await expectLedgerAddsUp(platform, space);
    // A correction by hand is what the next call meets.
    await setBalance(space, 100_000);
    await sleep(CALM_MS);
    for (let calls = 0; calls < 3; calls += 1) await ask(space.owner, '@@usage 4 6\n@@reply x', { max_tokens: 6 });
    expect(await preleasedIn(platform, space)).toBeGreaterThan(0);
    await setBalance(space, 0);
    expect((await ask(space.owner, 'x')).status).toBe(402);
    expect(await preleasedIn(platform, space)).toBe(0);
  });

  it('refuses none of many keys while there is room, regardless of their leases', async () => {
    const space = await platform.newSpace();
    const keys = await Promise.all(Array.from({ length: 24 }, () => space.key()));
    await setBalance(space, 20_000);
    const end = Date.now() + 3_000;
    const statuses = new Set<number>();
    const caller = async (key: Client): Promise<void> => {
      while (Date.now() < end) statuses.add((await ask(key, '@@usage 1 0\n@@reply x', { max_tokens: 6 })).status);
    };
    await Promise.all(keys.map(caller));
    expect([...statuses]).toEqual([200]);
    await expectLedgerAddsUp(platform, space);
  });

  it('is of one Space only', async () => {
    const [one, other] = [await platform.newSpace(), await platform.newSpace()];
    await ask(one.owner, '@@usage 10 10\n@@reply x');
    expect((await balanceOf(other.owner)).balance).toBe(INITIAL);
    expect((await other.owner.get('/usage?groupBy=model')).body.data).toEqual([]);
    expect((await other.owner.get('/usage/ledger')).body.data).toHaveLength(1);
  });
});

describe('limits', () => {
  it('are asked in the order of the contract', async () => {
    const space = await platform.newSpace();
    const set = (settings: object): Promise<unknown> => space.owner.patch(`/spaces/${space.id}`, { settings });
    const codeOf = async (text: string): Promise<string> => (await ask(space.owner, text)).body.code as string;
    await ask(space.owner, '@@usage 20 30\n@@reply x');
    await set({ requestTokenCap: 40, minimumBalance: 100, dailyTokenCap: 50 });
    await setBalance(space, 0);
    const long = 'word '.repeat(60);
    await until(async () => (await codeOf(long)) === 'REQUEST_TOO_LARGE');
    expect(await codeOf('short')).toBe('INSUFFICIENT_TOKENS');
    await setBalance(space, 99);
    expect(await codeOf('short')).toBe('BELOW_MINIMUM_BALANCE');
    await setBalance(space, 100);
    const daily = await ask(space.owner, 'short');
    expect([daily.status, daily.body.code, daily.headers['x-should-retry']]).toEqual([
      429,
      'DAILY_LIMIT_EXCEEDED',
      'false',
    ]);
    const midnight = Date.parse((await balanceOf(space.owner)).resetsAt);
    expect(Math.abs(Number(daily.headers['retry-after']) - (midnight - Date.now()) / 1000)).toBeLessThan(30);
    await set({ dailyTokenCap: 1000 });
    await until(async () => (await ask(space.owner, 'short')).status === 200);
    expect((await ask(space.owner, 'short', { max_tokens: 41 })).body.code).toBe('REQUEST_TOO_LARGE');
  });

  it('of a day end with the day', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { dailyTokenCap: 10 } });
    await until(async () => (await ask(space.owner, '@@usage 5 5\n@@reply x')).status === 429);
    await platform.database.query(`update relay.accounts set day = day - 1 where space_id = $1`, [space.id]);
    expect((await balanceOf(space.owner)).dailyUsed).toBe(0);
    const answer = await ask(space.owner, '@@usage 5 5\n@@reply x');
    expect([answer.status, answer.headers['x-ratelimit-limit-tokens']]).toEqual([200, '10']);
    expect(answer.headers['x-ratelimit-remaining-tokens']).toBe('10');
    expect(answer.headers['x-ratelimit-reset-tokens']).toMatch(/^[0-9]+s$/);
    expect((await balanceOf(space.owner)).dailyUsed).toBe(10);
  });
});

describe('200 calls at once', () => {
  it('are all paid, to the token', async () => {
    const space = await platform.newSpace();
    const replies = await Promise.all(Array.from({ length: 200 }, () => ask(space.owner, '@@usage 3 4\n@@reply x')));
    expect(replies.map((reply) => reply.status).filter((status) => status !== 200)).toEqual([]);
    expect(await settled(space.owner)).toMatchObject({ balance: INITIAL - 1400, reserved: 0 });
    await expectLedgerAddsUp(platform, space);
  });

  it('get in while balance minus reserved is over 0, and no further', async () => {
    const space = await platform.newSpace();
    // Each call holds its prompt and 1000 tokens of answer, and uses just as much as it says.
    await setBalance(space, 5_000);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(space.owner, '@@usage 500 500\n@@delay 1500\n@@reply x', { max_tokens: 1000 }),
      ),
    );
    const statuses = replies.map((reply) => reply.status);
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBe(5);
    expect(statuses.filter((status) => status === 402)).toHaveLength(95);
    expect((await settled(space.owner)).balance).toBe(0);
    await expectLedgerAddsUp(platform, space);
  });

  it('keep the minimum of the Space, which one call may pass', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { minimumBalance: 9_000 } });
    await until(async () => (await balanceOf(space.owner)).minimumBalance === 9_000);
    await setBalance(space, 10_000);
    // A call that has ended is settled before the next one is judged: its reservation refuses none.
    for (let i = 0; i < 4; i += 1)
      expect((await ask(space.owner, '@@usage 2 3\n@@reply x', { max_tokens: 1_000 })).status).toBe(200);
    await setBalance(space, 10_000);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask(space.owner, '@@usage 250 250\n@@delay 1500\n@@reply x', { max_tokens: 500 }),
      ),
    );
    const refused = replies.filter(({ status }) => status !== 200).map(({ body }) => body.code as string);
    expect(refused).toEqual(Array(98).fill('BELOW_MINIMUM_BALANCE'));
    expect((await settled(space.owner)).balance).toBe(9_000);
    expect((await ask(space.owner, '@@usage 2 3\n@@reply x')).status).toBe(200);
    expect((await ask(space.owner, 'x')).body.code).toBe('BELOW_MINIMUM_BALANCE');
    await expectLedgerAddsUp(platform, space);
  });

  it('are refused by the cap of the day, where the balance would allow them', async () => {
    const space = await platform.newSpace();
    await space.owner.patch(`/spaces/${space.id}`, { settings: { dailyTokenCap: 1_000 } });
    await until(async () => (await balanceOf(space.owner)).dailyCap === 1_000);
    await setBalance(space, 10_000);
    const replies = await Promise.all(
      Array.from({ length: 200 }, () =>
        ask(space.owner, '@@usage 250 250\n@@delay 1500\n@@reply x', { max_tokens: 500 }),
      ),
    );
    const refused = replies.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code]);
    expect(refused).toEqual(Array(198).fill([429, 'DAILY_LIMIT_EXCEEDED']));
  });

  it('that fail or are cut leave nothing reserved', async () => {
    const space = await platform.newSpace();
    const scripts = ['@@error 400', '@@error 404', '@@error 429', '@@cut 3\n@@tokens 9', '@@reply fine'];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        ask(space.owner, scripts[i % scripts.length] ?? '', { stream: i % 2 === 0 }),
      ),
    );
    expect((await settled(space.owner)).reserved).toBe(0);
    await expectLedgerAddsUp(platform, space);
  });
});

describe('usage', () => {
  it('is grouped by day, model, user, key, agent and source', async () => {
    const space = await platform.newSpace();
    const key = await space.key();
    await ask(space.owner, '@@usage 10 20\n@@reply x');
    await ask(key, '@@usage 1 2\n@@reply x');
    await key.raw('POST', '/models/v1/embeddings', { model: 'sim-embed', input: 'one two three' });
    const by = async (group: string): Promise<Record<string, unknown>[]> =>
      (await space.owner.get(`/usage?groupBy=${group}`)).body.data;
    expect(await by('model')).toEqual([
      { model: 'sim-chat', calls: 2, promptTokens: 11, completionTokens: 22, tokens: 33, cost: 0.000055 },
      { model: 'sim-embed', calls: 1, promptTokens: 3, completionTokens: 0, tokens: 3, cost: 0.0000003 },
    ]);
    expect(await by('day')).toEqual([
      expect.objectContaining({ day: new Date().toISOString().slice(0, 10), calls: 3, tokens: 36 }),
    ]);
    expect(await by('user')).toEqual([expect.objectContaining({ user: space.owner.identity.userId, calls: 3 })]);
    expect(await by('key')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: key.identity.keyId, tokens: 6 }),
        expect.objectContaining({ key: null, tokens: 30 }),
      ]),
    );
    expect(await by('agent')).toEqual([expect.objectContaining({ agent: null, calls: 3 })]);
    expect(await by('source')).toEqual([expect.objectContaining({ source: 'relay', calls: 3 })]);
  });

  it('is of the time that is asked for', async () => {
    const space = await platform.newSpace();
    await ask(space.owner, 'x');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await space.owner.get(`/usage?from=${tomorrow}`)).body.data).toEqual([]);
    expect((await space.owner.get(`/usage?from=2020-01-01&to=${tomorrow}`)).body.data).toHaveLength(1);
    for (const query of [
      'groupBy=colour',
      'from=yesterday',
      'from=2026-02-02&to=2026-02-01',
      'unknown=1',
      'from=2026-99-99',
    ]) {
      expect([query, (await space.owner.get(`/usage?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('and the ledger are read by members, with the scope', async () => {
    const space = await platform.newSpace();
    expect((await (await space.member('VIEWER')).get('/usage/ledger')).status).toBe(200);
    expect((await (await space.key({ scopes: ['models:call'] })).get('/usage')).status).toBe(403);
  });
});

describe('the ledger', () => {
  it('is listed newest first, page by page, and cannot be changed', async () => {
    const space = await platform.newSpace();
    for (let i = 0; i < 5; i += 1) await ask(space.owner, `@@usage ${i} 1\n@@reply x`);
    const seen: { tokens: number; balanceAfter: number }[] = [];
    let cursor = '';
    do {
      const { body } = await space.owner.get(`/usage/ledger?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...body.data);
      cursor = body.page.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen.map((row) => row.tokens)).toEqual([-5, -4, -3, -2, -1, INITIAL]);
    expect(seen[0]).toMatchObject({
      type: 'SETTLEMENT',
      source: 'relay',
      model: 'sim-chat',
      userId: space.owner.identity.userId,
      balanceAfter: INITIAL - 15,
    });
    const first = (await space.owner.get('/usage/ledger?limit=1')).body;
    const decoded = JSON.parse(Buffer.from(first.page.nextCursor as string, 'base64url').toString()) as unknown;
    // Nothing that counts the rows of others.
    expect(decoded).toEqual(['ledger', first.data[0].id]);
    const stranger = await platform.newSpace();
    const former = Buffer.from('["ledger",7]').toString('base64url');
    expect((await stranger.owner.get(`/usage/ledger?cursor=${first.page.nextCursor}`)).status).toBe(400);
    for (const none of ['rubbish', former])
      expect((await space.owner.get(`/usage/ledger?cursor=${none}`)).status).toBe(400);
    const change = (role: string): Promise<unknown> =>
      platform.database.query(
        `do $$ begin execute format('set local role %I', (select rolname from pg_roles where rolname like '%${role}' limit 1)); update relay.ledger set tokens = 0; end $$`,
      );
    await expect(change('relay')).rejects.toThrow(/permission denied/);
    // A setup that runs again, as with each new version, gives nothing back.
    const { password } = new URL(platform.state.databaseLogins['relay'] ?? '');
    await prepareDatabase(platform.state.databaseUrl, [{ service: 'relay', password }]);
    await expect(change('relay')).rejects.toThrow(/permission denied/);
    await expect(change('relay_system')).rejects.toThrow(/permission denied/);
  });
});
