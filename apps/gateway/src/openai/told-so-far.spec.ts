import type { Ctx } from '@switchyard/contracts';
import { ResponsesProjection } from '../projections/openai/responses-projection';
import { ToldSoFar } from './told-so-far';

const ctxOf = (userId: string, spaceId = 'space'): Ctx => ({ spaceId, userId }) as Ctx;
const name = (turnId = 't', stretch = 1): { turnId: string; stretch: number } => ({ turnId, stretch });
const said = (text: string): ResponsesProjection => {
  const projection = new ResponsesProjection({ ...name(), model: 'a', fields: {} });
  const data = [
    { event: 'session-started', session_id: 's' },
    { event: 'content-delta', delta: text, message_id: 'm' },
  ];
  for (const [at, each] of data.entries())
    projection.read({ seq: at + 1, method: 'custom:service', timestamp: 0, data: each });
  return projection;
};
const ann = ctxOf('ann');

describe('a response as far as it was told', () => {
  afterEach(() => jest.useRealTimers());

  it('is given to one who asks for it again, and to that one alone', () => {
    const told = new ToldSoFar();
    const projection = said('hi');
    told.keep(ann, name(), { projection, after: 2 });
    for (const [ctx, other] of [
      [ctxOf('bob'), name()],
      [ctxOf('ann', 'elsewhere'), name()],
      [ann, name('u')],
      [ann, name('t', 2)],
    ] as const)
      expect([told.has(ctx, other), told.take(ctx, other)]).toEqual([false, null]);
    expect(told.has(ann, name())).toBe(true);
    expect(told.take(ann, name())).toMatchObject({ projection, after: 2 });
    expect([told.has(ann, name()), told.take(ann, name())]).toEqual([false, null]);
  });

  it('is forgotten after a minute, where it is large, and where there are many others', () => {
    jest.useFakeTimers();
    const told = new ToldSoFar();
    told.keep(ann, name(), { projection: said('hi'), after: 2 });
    jest.setSystemTime(Date.now() + 61_000);
    expect([told.has(ann, name()), told.take(ann, name())]).toEqual([false, null]);
    told.keep(ann, name(), { projection: said('x'.repeat(300_000)), after: 2 });
    expect(told.has(ann, name())).toBe(false);
    for (let n = 0; n < 300; n += 1) told.keep(ann, name(`t${n}`), { projection: said('hi'), after: 2 });
    expect([told.has(ann, name('t0')), told.has(ann, name('t299'))]).toEqual([false, true]);
  });
});
