import { type Ctx, productFrame, TurnFrameWriter } from '@switchyard/contracts';
import { Metrics, type Workers } from '@switchyard/service';
import { ResponsesProjection } from './responses-projection';
import { project } from '../../turn-events/protocol-projection';
import { PartialResponseCache } from './partial-response-cache';

const ctxOf = (userId: string, spaceId = 'space'): Ctx => ({ spaceId, userId }) as Ctx;
const turn = (key = 't', epoch = 1): { key: string; epoch: number } => ({ key, epoch });
const events = (text: string): ResponsesProjection => {
  const projection = new ResponsesProjection({ turnId: 't', segment: 1, model: 'a', fields: {} });
  const writer = new TurnFrameWriter();
  project(projection, [
    writer.write(productFrame('sessionStarted', { session_id: 's', turn_id: 't', agent_id: 'a' }), 0),
    writer.write(productFrame('contentDelta', { delta: text, message_id: 'm' }), 0),
  ]);
  return projection;
};
const ann = ctxOf('ann');

/** Workers whose rounds are run by hand. */
function newCache(): { cached: PartialResponseCache; sweep: () => void } {
  const rounds: (() => unknown)[] = [];
  const every = (_name: string, _ms: number, work: () => unknown): number => rounds.push(work);
  const cached = new PartialResponseCache({ every } as unknown as Workers, new Metrics('gateway'));
  return {
    cached,
    sweep: () => {
      for (const round of rounds) round();
    },
  };
}

/** How many responses it holds, whether they may still be taken or not. */
const sizeOf = (cached: PartialResponseCache): number =>
  (cached as unknown as { cache: Map<string, unknown> }).cache.size;

describe('a partial response', () => {
  afterEach(() => jest.useRealTimers());

  it('is returned to the same client alone, once', () => {
    const { cached } = newCache();
    const projection = events('hi');
    cached.keep(ann, turn(), 1, { projection, after: 2 });
    for (const [ctx, other, segment] of [
      [ctxOf('bob'), turn(), 1],
      [ctxOf('ann', 'elsewhere'), turn(), 1],
      [ann, turn('u'), 1],
      [ann, turn(), 2],
      // Another process has gone on with the turn.
      [ann, turn('t', 2), 1],
    ] as const)
      expect([cached.has(ctx, other, segment), cached.take(ctx, other, segment)]).toEqual([false, null]);
    expect(cached.has(ann, turn(), 1)).toBe(true);
    expect(cached.take(ann, turn(), 1)).toMatchObject({ projection, after: 2 });
    expect([cached.has(ann, turn(), 1), cached.take(ann, turn(), 1)]).toEqual([false, null]);
  });

  it('expires after a minute, also without another request', () => {
    jest.useFakeTimers();
    const { cached, sweep } = newCache();
    cached.keep(ann, turn(), 1, { projection: events('hi'), after: 2 });
    jest.setSystemTime(Date.now() + 59_000);
    cached.keep(ann, turn('u'), 1, { projection: events('hi'), after: 2 });
    sweep();
    expect([cached.has(ann, turn(), 1), sizeOf(cached)]).toEqual([true, 2]);
    jest.setSystemTime(Date.now() + 2000);
    expect(cached.has(ann, turn(), 1)).toBe(false);
    sweep();
    expect([sizeOf(cached), cached.has(ann, turn('u'), 1)]).toEqual([1, true]);
    jest.setSystemTime(Date.now() + 61_000);
    expect(cached.take(ann, turn('u'), 1)).toBeNull();
  });

  it('is not cached if it is large, in one- and two-byte characters', () => {
    const { cached } = newCache();
    for (const letter of ['x', '字'])
      cached.keep(ann, turn(letter), 1, { projection: events(letter.repeat(270_000)), after: 2 });
    expect(sizeOf(cached)).toBe(0);
  });

  it('counts against the share of its Space, and evicts nothing of others', () => {
    const { cached } = newCache();
    const bob = ctxOf('bob', 'elsewhere');
    cached.keep(bob, turn(), 1, { projection: events('hi'), after: 2 });
    for (let n = 0; n < 300; n += 1)
      cached.keep(ann, turn(`t${n}`), 1, { projection: events('字'.repeat(125_000)), after: 2 });
    expect([cached.has(ann, turn('t0'), 1), cached.has(ann, turn('t299'), 1), cached.has(bob, turn(), 1)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(sizeOf(cached)).toBeLessThanOrEqual(17);
  });

  it('is evicted, oldest first, if many Spaces have some', () => {
    const { cached } = newCache();
    const someone = (n: number): Ctx => ctxOf('ann', `space ${n}`);
    for (let n = 0; n < 100; n += 1)
      cached.keep(someone(n), turn(), 1, { projection: events('字'.repeat(125_000)), after: 2 });
    expect([cached.has(someone(0), turn(), 1), cached.has(someone(99), turn(), 1)]).toEqual([false, true]);
    expect(sizeOf(cached)).toBeLessThanOrEqual(65);
  });

  it('no longer counts after it was returned', () => {
    const { cached } = newCache();
    for (let n = 0; n < 100; n += 1) {
      cached.keep(ann, turn(), 1, { projection: events('字'.repeat(125_000)), after: 2 });
      expect(cached.take(ann, turn(), 1)).not.toBeNull();
    }
    for (let n = 0; n < 15; n += 1)
      cached.keep(ann, turn(`t${n}`), 1, { projection: events('字'.repeat(125_000)), after: 2 });
    expect(sizeOf(cached)).toBe(15);
  });
});
