import { EmbeddingTurns } from './embedding-turns';

const payerOf = (spaceId: string): string => (spaceId.startsWith('many') ? 'many' : spaceId);

describe('turns of embedding', () => {
  it('are one of each payer, however many Spaces it has', () => {
    const turns = new EmbeddingTurns();
    const spaces = [...Array.from({ length: 9 }, (_, n) => `many ${n}`), 'other'];
    expect(turns.next(spaces, payerOf)).toEqual(['many 0', 'other']);
    expect(turns.next(spaces, payerOf)).toEqual(['many 1', 'other']);
  });

  it('go round the Spaces of a payer, also if some of them have nothing any more', () => {
    const turns = new EmbeddingTurns();
    turns.next(['many 0', 'many 1', 'many 2'], payerOf);
    expect(turns.next(['many 0', 'many 2'], payerOf)).toEqual(['many 2']);
    expect(turns.next(['many 0', 'many 2'], payerOf)).toEqual(['many 0']);
  });

  it('are none where nothing waits', () => {
    expect(new EmbeddingTurns().next([], payerOf)).toEqual([]);
  });
});
