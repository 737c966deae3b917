import { PayerCache } from '../known/payer-cache';
import type { Holding } from './leased-rows';
import { shareOf } from './capacity-shares';
import { FairSpacePicker } from './fair-space-picker';

describe('the picker of Spaces', () => {
  let used: Map<string, Holding>;
  let picker: FairSpacePicker;

  /** The first letter of a Space is its payer. */
  beforeEach(() => {
    const payerCache = new PayerCache();
    payerCache.askWith((spaceId) => Promise.resolve(spaceId.slice(0, 1)));
    used = new Map();
    picker = new FairSpacePicker(payerCache, { slots: shareOf(12), bytes: shareOf(300) }, () => used);
  });
  const picked = async (spaces: string[], free: number): Promise<Record<string, number>> =>
    Object.fromEntries([...(await picker.pick(spaces, free))].map(([space, { slots }]) => [space, slots]));

  it('divides free slots among payers, not among their Spaces, also at the first look', async () => {
    expect(await picked(['a1', 'a2', 'b1'], 12)).toEqual({ a1: 2, a2: 2, b1: 4 });
  });

  it('leaves out Spaces whose payer has its share, in slots or bytes', async () => {
    await picked(['a1', 'a2', 'b1', 'c1'], 12);
    used = new Map([
      ['a1', { slots: 6, bytes: 1 }],
      ['a2', { slots: 2, bytes: 1 }],
      ['b1', { slots: 1, bytes: 200 }],
      ['c1', { slots: 7, bytes: 199 }],
    ]);
    expect(picker.excluded).toEqual(['a1', 'a2', 'b1']);
  });

  it('leaves out Spaces that got no slot, until a round has seen all that are due', async () => {
    expect(await picked(['a1', 'b1', 'c1'], 2)).toEqual({ a1: 1, b1: 1 });
    picker.endRound(true);
    picker.passOver('d1');
    expect(picker.excluded).toEqual(['c1', 'd1']);
    picker.endRound(false);
    expect(picker.excluded).toEqual([]);
  });
});
