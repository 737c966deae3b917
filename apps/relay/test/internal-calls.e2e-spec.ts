import { CompletionFrame, Ctx, RelayCalls, RelayStreams, makeCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { promised, TestSpace, until, usePlatform } from '@switchyard/testing';
import { type ServiceBus, openBusOf } from './support/service-bus';
import { ask, balanceOf, expectLedgerAddsUp, setBalance, settled } from './support/money';

const platform = usePlatform();
let agent: ServiceBus;
let session: ServiceBus;
let space: TestSpace;
let ctx: Ctx;

const ctxIn = (of: TestSpace): Ctx =>
  makeCtx({
    spaceId: of.id,
    userId: of.owner.identity.userId ?? null,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: newId(),
    credentialType: 'jwt',
    applicationId: null,
  });

beforeAll(async () => {
  [agent, session] = await Promise.all([openBusOf('agent', platform.state), openBusOf('session', platform.state)]);
  space = await platform.newSpace();
  ctx = ctxIn(space);
});
afterAll(() => Promise.all([agent.close(), session.close()]));

async function complete(text: string, extra: object = {}, as = ctx): Promise<CompletionFrame[]> {
  const frames: CompletionFrame[] = [];
  const attribution = { source: 'chat' as const, agentId: newId() };
  for await (const frame of await agent.bus.stream(RelayStreams.complete, as, {
    model: 'sim-chat',
    messages: [{ role: 'user', content: text }],
    attribution,
    ...extra,
  }))
    frames.push(frame);
  return frames;
}

describe('completions for services', () => {
  it('come as deltas, tool calls and one settled end', async () => {
    const frames = await complete('@@reply one two\n@@tool f {"a":1}\n@@tool g {}', { tools: [{ name: 'f' }] });
    // Under load words that come together are one frame.
    const calls = frames.filter(({ kind }) => kind !== 'delta');
    expect(frames.map(({ text }) => text ?? '').join('')).toBe('one two');
    expect(calls.map(({ kind }) => kind)).toEqual(['tool-call', 'tool-call', 'done']);
    expect(calls[0]).toMatchObject({ index: 0, toolCall: { name: 'f', arguments: '{"a":1}' } });
    expect(frames.at(-1)).toMatchObject({ finishReason: 'tool_calls', model: 'sim-chat', usage: { estimated: false } });
    expect(frames.at(-1)?.usage?.cost).toBeGreaterThan(0);
  });

  it('are attributed to agent, session, turn, task and job', async () => {
    const ids = { agentId: newId(), sessionId: newId(), turnId: newId(), taskId: newId(), jobId: newId() };
    await complete('@@usage 5 6\n@@reply x', { attribution: { source: 'job', ...ids } });
    const rows = (await space.owner.get('/usage/ledger?limit=1')).body.data;
    expect(rows[0]).toMatchObject({ tokens: -11, source: 'job', agentId: ids.agentId, turnId: ids.turnId });
    const byAgent = (await space.owner.get('/usage?groupBy=agent')).body.data;
    expect(byAgent).toEqual(expect.arrayContaining([expect.objectContaining({ agent: ids.agentId, tokens: 11 })]));
  });

  it('are metered once for one request key, when they were completed', async () => {
    const before = (await balanceOf(space.owner)).balance;
    for (let i = 0; i < 3; i += 1) await complete('@@usage 100 100\n@@reply x', { requestKey: 'turn-1/step-1' });
    expect(before - (await balanceOf(space.owner)).balance).toBe(200);
    await Promise.all(
      Array.from({ length: 5 }, () => complete('@@usage 100 100\n@@reply x', { requestKey: 'turn-1/step-2' })),
    );
    expect(before - (await settled(space.owner)).balance).toBe(400);
    await expectLedgerAddsUp(platform, space);
  });

  it('are refused before the first frame with the codes of the contract', async () => {
    const poor = await platform.newSpace();
    await setBalance(poor, 0);
    await expect(complete('x', {}, ctxIn(poor))).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' });
    await expect(agent.bus.call(RelayCalls.preflight, ctxIn(poor), { model: 'sim-chat' })).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
    });
    await expect(complete('x', { model: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(complete('@@error 500')).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    await expect(complete('@@error 400')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(complete('@@error 404')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(complete('@@error 401')).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    await expect(complete('@@error 429')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    expect((await settled(space.owner)).reserved).toBe(0);
  });

  it('that break off are an error, and paid as seen', async () => {
    const before = (await balanceOf(space.owner)).balance;
    await expect(complete('@@cut 3\n@@tokens 9')).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    const used = before - (await settled(space.owner)).balance;
    expect(used).toBeGreaterThanOrEqual(3);
    expect(used).toBeLessThan(40);
  });

  it('whose reader leaves stop, and are paid as seen', async () => {
    const before = (await balanceOf(space.owner)).balance;
    const reader = await agent.bus.stream(RelayStreams.complete, ctx, {
      model: 'sim-chat',
      messages: [{ role: 'user', content: '@@delay 100\n@@tokens 4000' }],
      attribution: { source: 'chat' },
    });
    let seen = 0;
    for await (const _ of reader) if ((seen += 1) === 10) break;
    await until(async () => (await balanceOf(space.owner)).reserved === 0);
    const used = before - (await balanceOf(space.owner)).balance;
    expect(used).toBeGreaterThanOrEqual(10);
    expect(used).toBeLessThan(200);
  });
});

describe('the other calls', () => {
  it('preflight tells the window and what would be held', async () => {
    expect(
      await agent.bus.call(RelayCalls.preflight, ctx, {
        model: 'sim-chat',
        messages: [{ role: 'user', content: 'x'.repeat(400) }],
        maxTokens: 50,
      }),
    ).toMatchObject({ contextWindow: 128_000, maxOutputTokens: 4096 });
  });

  it('preflight tells the amount that needs no request, once it has read the account', async () => {
    const own = await platform.newSpace();
    const ample = async () =>
      (await agent.bus.call(RelayCalls.preflight, ctxIn(own), { model: 'sim-chat' })).ample ?? null;
    expect(await ample()).toBeNull();
    await ask(own.owner, '@@reply x');
    const lease = await ample();
    expect(lease?.tokens).toBe(4_999);
    expect(lease?.forMs).toBeLessThanOrEqual(1_000);
    await own.credit(5);
    expect(await ample()).toBeNull();
  });

  it('embed gives one vector per text, empty ones too', async () => {
    const dataset = await openBusOf('dataset', platform.state);
    const reply = await dataset.bus.call(RelayCalls.embed, ctx, {
      texts: ['a', '', 'a'],
      attribution: { source: 'dataset' },
    });
    await dataset.close();
    expect(reply).toMatchObject({ model: 'sim-embed', dimensions: 384 });
    expect(reply.vectors[0]).toBe(reply.vectors[2]);
    expect(Buffer.from(reply.vectors[1] ?? '', 'base64')).toHaveLength(384 * 4);
  });

  it('count tokens', async () => {
    const reply = await session.bus.call(RelayCalls.countTokens, ctx, {
      model: 'sim-chat',
      texts: ['Hello world', ''],
      messages: [{ role: 'user', content: 'Hello world' }],
    });
    expect(reply.perText).toEqual([2, 0]);
    expect(reply.tokens).toBeGreaterThan(3);
  });

  it('count a text that is slow to tokenize without holding up another Space', async () => {
    const letters = Array.from({ length: 60_000 }, () => 97 + Math.floor(Math.random() * 26));
    const slow = String.fromCharCode(...letters).repeat(11);
    const attacker = { ...ctx, spaceId: newId() };
    let remaining = 8;
    const counting = Promise.all(
      Array.from({ length: 8 }, () =>
        session.bus
          .call(RelayCalls.countTokens, attacker, { model: 'sim-chat', texts: [slow] })
          .finally(() => (remaining -= 1)),
      ),
    );
    const took: number[] = [];
    do {
      const startedAt = performance.now();
      const reply = await session.bus.call(RelayCalls.countTokens, ctx, { model: 'sim-chat', texts: ['Hello world'] });
      took.push(performance.now() - startedAt);
      expect(reply.perText).toEqual([2]);
    } while (remaining > 0);
    expect(Math.max(...took)).toBeLessThan(promised(1_000));
    for (const { perText } of await counting) {
      expect(perText[0]).toBeGreaterThan(slow.length / 4);
      expect(perText[0]).toBeLessThanOrEqual(slow.length);
    }
  });

  it('count a long text of words as many tokens as it has', async () => {
    const text = 'one two three four '.repeat(25_000);
    const counts: number[] = [];
    // If the count times out, as on a machine that is busy elsewhere, the rest is counted in bytes.
    await until(async () => {
      const reply = await session.bus.call(RelayCalls.countTokens, ctx, { model: 'sim-chat', texts: [text] });
      counts.push(reply.perText[0] ?? 0);
      return (counts.at(-1) ?? 0) < 103_000;
    });
    expect(Math.min(...counts)).toBeGreaterThan(97_000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(text.length);
  });

  it('name the default models', async () => {
    const gateway = await openBusOf('gateway', platform.state);
    const { items } = await gateway.bus.call(RelayCalls.listModels, ctx, {});
    await gateway.close();
    expect(items.filter((model) => model.isDefault).map((model) => model.id)).toEqual(['sim-chat', 'sim-embed']);
  });
});
