import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { useBuiltIn, useCatalogue } from './support/catalogue';
import { ask, balanceOf } from './support/money';
import { type OddUpstream, startOddUpstream } from './support/odd-upstream';

const platform = usePlatform();

describe('an upstream that has as many calls as it may have connections', () => {
  let odd: OddUpstream;
  let loud: TestSpace;
  let quiet: TestSpace;

  beforeAll(async () => {
    odd = await startOddUpstream();
    [loud, quiet] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    const sizes = { contextWindow: 1000, maxOutputTokens: 100, inputPrice: 1, outputPrice: 2 };
    const catalogue = {
      upstreams: { shared: { baseUrl: `${odd.url}/v1`, auth: 'none', retries: 0, connections: 3 } },
      models: [{ id: 'odd-shared', upstream: 'shared', upstreamModel: 'hang', ...sizes }],
    };
    await useCatalogue(platform, loud.owner, catalogue, 'odd-shared');
  });

  afterAll(async () => {
    await useBuiltIn(platform, loud.owner, 'odd-shared');
    await odd.close();
  });

  it('is next asked for a Space that has none of them, however many calls of another wait longer', async () => {
    const askOdd = (client: Client, text: string): Promise<unknown> => ask(client, text, { model: 'odd-shared' });
    const reserved = async ({ owner }: TestSpace): Promise<number> => (await balanceOf(owner)).reserved;
    const first = askOdd(loud.owner, 'loud');
    await until(async () => (await reserved(loud)) > 0);
    const each = await reserved(loud);
    const calls = [first, ...Array.from({ length: 8 }, () => askOdd(loud.owner, 'loud'))];
    await until(async () => odd.seen.length === 3 && (await reserved(loud)) >= 9 * each);
    const shown = (suffix = ''): Promise<number> =>
      platform.service('relay').metric(`switchyard_relay_upstream_connections${suffix}`, { upstream: 'shared' });
    expect([await shown(), await shown('_limit'), await shown('_waiting')]).toEqual([3, 3, 6]);
    calls.push(askOdd(quiet.owner, 'quiet'));
    await until(async () => (await reserved(quiet)) > 0);
    odd.hangUp();
    await until(() => odd.seen.length >= 6);
    expect(odd.seen.slice(3, 6).filter(({ body }) => body.includes('quiet'))).toHaveLength(1);
    let isOver = false;
    const over = Promise.allSettled(calls).finally(() => (isOver = true));
    await until(() => {
      odd.hangUp();
      return isOver;
    });
    await over;
  });
});

describe('an upstream that leaves the calls of one Space without an answer', () => {
  let odd: OddUpstream;
  let loud: TestSpace;
  let quiet: TestSpace;

  beforeAll(async () => {
    odd = await startOddUpstream();
    [loud, quiet] = await Promise.all([platform.newSpace(), platform.newSpace()]);
    const sizes = { contextWindow: 1000, maxOutputTokens: 100, inputPrice: 1, outputPrice: 2 };
    const upstream = { baseUrl: `${odd.url}/v1`, auth: 'none', retries: 0, timeouts: { firstByteMs: 1_000 } };
    const catalogue = {
      upstreams: { silent: upstream },
      models: ['hang', 'fine'].map((name) => ({
        id: `odd-${name}`,
        upstream: 'silent',
        upstreamModel: name,
        ...sizes,
      })),
    };
    await useCatalogue(platform, loud.owner, catalogue, 'odd-hang');
  });

  afterAll(async () => {
    await useBuiltIn(platform, loud.owner, 'odd-hang');
    await odd.close();
  });

  it('is not asked by that Space for a moment, and by all others as before', async () => {
    const hang = async (): Promise<number> => (await ask(loud.owner, 'hello', { model: 'odd-hang' })).status;
    // Until its calls are refused without a request. No other Space is refused meanwhile.
    await until(async () => {
      const before = odd.seen.length;
      expect(new Set(await Promise.all(Array.from({ length: 25 }, hang)))).toEqual(new Set([503]));
      return odd.seen.length - before < 25;
    });
    expect((await ask(quiet.owner, 'hello', { model: 'odd-fine' })).status).toBe(200);
  });
});
