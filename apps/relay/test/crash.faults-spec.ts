import { setTimeout as sleep } from 'node:timers/promises';
import { until, usePlatform } from '@switchyard/testing';
import { preleasedIn, ask, balanceOf, expectLedgerAddsUp, setBalance, settled } from './support/money';

const platform = usePlatform();

describe('a relay that is killed in the middle of a stream', () => {
  it('leaves a reservation that is settled as what was seen, once', async () => {
    const space = await platform.newSpace();
    await ask(space.owner, 'warm');
    const before = await balanceOf(space.owner);
    const reply = await space.owner.rawStream('POST', '/models/v1/chat/completions', {
      model: 'sim-chat',
      stream: true,
      max_tokens: 3000,
      messages: [{ role: 'user', content: '@@delay 20\n@@tokens 3000' }],
    });
    let seen = 0;
    const reading = (async () => {
      for await (const frame of reply.frames) if (frame.data.choices?.[0]?.delta?.content) seen += 1;
    })().catch(() => undefined);
    await until(() => seen > 60);
    expect((await balanceOf(space.owner)).reserved).toBeGreaterThan(3000);
    await platform.service('relay').crash();
    await until(
      async () =>
        (await platform.database.query('select 1 from relay.reservations where space_id = $1', [space.id])).length ===
        0,
      { timeoutMs: 40_000 },
    );
    const used = before.balance - (await settled(space.owner)).balance;
    expect(used).toBeGreaterThan(15);
    expect(used).toBeLessThan(2000);
    const { body } = await space.owner.get('/usage/ledger');
    expect(body.data.filter((row: { type: string }) => row.type === 'SETTLEMENT')).toHaveLength(2);
    await expectLedgerAddsUp(platform, space);
    await reading;
  });

  it('leaves no tokens of a limited key reserved for good', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ limits: { dailyTokens: 100_000 } });
    const calls = Array.from({ length: 10 }, () =>
      ask(key, '@@usage 10 10\n@@delay 2000\n@@reply x').catch(() => ({ status: 0 })),
    );
    const usage = async () =>
      (await space.owner.get(`/api-keys/${key.identity.keyId}/usage`)).body.data.dailyTokens as Record<string, number>;
    await until(async () => (await usage())['reserved']! > 0);
    await platform.service('relay').crash();
    await Promise.all(calls);
    const after = await until(
      async () => {
        const now = await usage();
        return now['reserved'] === 0 ? now : null;
      },
      { timeoutMs: 40_000 },
    );
    expect(after['used']).toBeLessThanOrEqual(10 * 40);
    expect((await ask(key, '@@usage 10 10\n@@reply x')).status).toBe(200);
    await expectLedgerAddsUp(platform, space);
  });

  it('lets a key on the budget of one call overdraw by one call at most, killed or not', async () => {
    const space = await platform.newSpace();
    const key = await space.key({ limits: { dailyTokens: 20 } });
    const charges = async (): Promise<number[]> =>
      (
        await platform.database.query<{ tokens: string }>(
          `select -tokens as tokens from relay.ledger where space_id = $1 and key_id = $2`,
          [space.id, key.identity.keyId],
        )
      ).map(({ tokens }) => Number(tokens));
    const usage = async (): Promise<{ used: number; reserved: number }> =>
      (await space.owner.get(`/api-keys/${key.identity.keyId}/usage`)).body.data.dailyTokens;
    const all = (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 200 }, () =>
          ask(key, '@@usage 10 10\n@@reply x', { max_tokens: 30 }).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );
    const relay = platform.service('relay');
    const { pid } = relay;
    await relay.arm('relay.reserved', 'kill');
    await all();
    await until(() => relay.pid !== pid);
    await relay.ready();
    // The dead relay's calls are settled, and only then another call is admitted.
    await until(async () => (await usage()).reserved === 0, { timeoutMs: 40_000 });
    await until(async () => (await all()).includes(429));
    await until(async () => (await usage()).reserved === 0, { timeoutMs: 40_000 });
    const charged = await charges();
    const sum = charged.reduce((total, tokens) => total + tokens, 0);
    expect((await usage()).used).toBe(sum);
    expect(sum).toBeGreaterThanOrEqual(20);
    expect(sum - Math.max(...charged)).toBeLessThan(20);
    expect((await ask(key, '@@usage 10 10\n@@reply x')).body.code).toBe('DAILY_LIMIT_EXCEEDED');
    await expectLedgerAddsUp(platform, space);
  });

  it('loses nothing of 40 calls: each is paid once or not at all', async () => {
    const space = await platform.newSpace();
    const calls = Array.from({ length: 40 }, (_, i) =>
      ask(space.owner, `@@usage 10 10\n@@delay ${i * 20}\n@@reply x`).catch(() => ({ status: 0 })),
    );
    await until(
      async () =>
        (
          await platform.database.query(`select 1 from relay.ledger where space_id = $1 and type = 'SETTLEMENT'`, [
            space.id,
          ])
        ).length > 5,
    );
    await platform.service('relay').crash();
    const answered = (await Promise.all(calls)).filter((reply) => reply.status === 200).length;
    const after = await until(
      async () => {
        const balance = await balanceOf(space.owner);
        return balance.reserved === 0 ? balance : null;
      },
      { timeoutMs: 40_000 },
    );
    expect(1_000_000 - after.balance).toBeGreaterThanOrEqual(answered * 20);
    expect(1_000_000 - after.balance).toBeLessThanOrEqual(40 * 40);
    await expectLedgerAddsUp(platform, space);
  });
});

describe('a relay that stops', () => {
  it('gives back what it holds for calls to come', async () => {
    const space = await platform.newSpace();
    await setBalance(space, 1_000_000_000);
    await sleep(1_200);
    for (let calls = 0; calls < 3; calls += 1) await ask(space.owner, '@@usage 1 1\n@@reply x');
    expect(await preleasedIn(platform, space)).toBeGreaterThan(0);
    await platform.service('relay').stop();
    const remaining = await preleasedIn(platform, space);
    await platform.service('relay').start();
    expect(remaining).toBe(0);
  });
});
