import { type Ctx, productFrame, TurnFrameWriter } from '@switchyard/contracts';
import { Metrics, type Workers } from '@switchyard/service';
import { ResponsesProjection } from './responses-projection';
import { project } from '../../turn-events/projection';
import { ToldSoFar } from './told-so-far';

const ctxOf = (userId: string, spaceId = 'space'): Ctx => ({ spaceId, userId }) as Ctx;
const turn = (key = 't', epoch = 1): { key: string; epoch: number } => ({ key, epoch });
const said = (text: string): ResponsesProjection => {
  const projection = new ResponsesProjection({ turnId: 't', stretch: 1, model: 'a', fields: {} });
  const writer = new TurnFrameWriter();
  project(projection, [
    writer.write(productFrame('sessionStarted', { session_id: 's', turn_id: 't', agent_id: 'a' }), 0),
    writer.write(productFrame('contentDelta', { delta: text, message_id: 'm' }), 0),
  ]);
  return projection;
};
const ann = ctxOf('ann');

/** Workers whose rounds are run by hand. */
function newTold(): { told: ToldSoFar; sweep: () => void } {
  const rounds: (() => unknown)[] = [];
  const every = (_name: string, _ms: number, work: () => unknown): number => rounds.push(work);
  const told = new ToldSoFar({ every } as unknown as Workers, new Metrics('gateway'));
  return {
    told,
    sweep: () => {
      for (const round of rounds) round();
    },
  };
}

/** How many responses it holds, whether they may still be taken or not. */
const sizeOf = (told: ToldSoFar): number => (told as unknown as { kept: Map<string, unknown> }).kept.size;

describe('a response as far as it was told', () => {
  afterEach(() => jest.useRealTimers());

  it('is given to one who asks for it again, and to that one alone', () => {
    const { told } = newTold();
    const projection = said('hi');
    told.keep(ann, turn(), 1, { projection, after: 2 });
    for (const [ctx, other, stretch] of [
      [ctxOf('bob'), turn(), 1],
      [ctxOf('ann', 'elsewhere'), turn(), 1],
      [ann, turn('u'), 1],
      [ann, turn(), 2],
      // Another process has gone on with the turn.
      [ann, turn('t', 2), 1],
    ] as const)
      expect([told.has(ctx, other, stretch), told.take(ctx, other, stretch)]).toEqual([false, null]);
    expect(told.has(ann, turn(), 1)).toBe(true);
    expect(told.take(ann, turn(), 1)).toMatchObject({ projection, after: 2 });
    expect([told.has(ann, turn(), 1), told.take(ann, turn(), 1)]).toEqual([false, null]);
  });

  it('is forgotten after a minute, also when nobody asks for it again', () => {
    jest.useFakeTimers();
    const { told, sweep } = newTold();
    told.keep(ann, turn(), 1, { projection: said('hi'), after: 2 });
    jest.setSystemTime(Date.now() + 59_000);
    told.keep(ann, turn('u'), 1, { projection: said('hi'), after: 2 });
    sweep();
    expect([told.has(ann, turn(), 1), sizeOf(told)]).toEqual([true, 2]);
    jest.setSystemTime(Date.now() + 2000);
    expect(told.has(ann, turn(), 1)).toBe(false);
    sweep();
    expect([sizeOf(told), told.has(ann, turn('u'), 1)]).toEqual([1, true]);
    jest.setSystemTime(Date.now() + 61_000);
    expect(told.take(ann, turn('u'), 1)).toBeNull();
  });

  it('is not kept when it is large, whatever its letters', () => {
    const { told } = newTold();
    for (const letter of ['x', '字'])
      told.keep(ann, turn(letter), 1, { projection: said(letter.repeat(270_000)), after: 2 });
    expect(sizeOf(told)).toBe(0);
  });

  it('takes a share of its Space, never the place of what others have', () => {
    const { told } = newTold();
    const bob = ctxOf('bob', 'elsewhere');
    told.keep(bob, turn(), 1, { projection: said('hi'), after: 2 });
    for (let n = 0; n < 300; n += 1)
      told.keep(ann, turn(`t${n}`), 1, { projection: said('字'.repeat(125_000)), after: 2 });
    expect([told.has(ann, turn('t0'), 1), told.has(ann, turn('t299'), 1), told.has(bob, turn(), 1)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(sizeOf(told)).toBeLessThanOrEqual(17);
  });

  it('is forgotten, the oldest first, when many Spaces ask', () => {
    const { told } = newTold();
    const someone = (n: number): Ctx => ctxOf('ann', `space ${n}`);
    for (let n = 0; n < 100; n += 1)
      told.keep(someone(n), turn(), 1, { projection: said('字'.repeat(125_000)), after: 2 });
    expect([told.has(someone(0), turn(), 1), told.has(someone(99), turn(), 1)]).toEqual([false, true]);
    expect(sizeOf(told)).toBeLessThanOrEqual(65);
  });

  it('counts what is given away no longer', () => {
    const { told } = newTold();
    for (let n = 0; n < 100; n += 1) {
      told.keep(ann, turn(), 1, { projection: said('字'.repeat(125_000)), after: 2 });
      expect(told.take(ann, turn(), 1)).not.toBeNull();
    }
    for (let n = 0; n < 15; n += 1)
      told.keep(ann, turn(`t${n}`), 1, { projection: said('字'.repeat(125_000)), after: 2 });
    expect(sizeOf(told)).toBe(15);
  });
});
