import { spacesAtShare } from './payers-at-import-share';

describe('Spaces whose payer has its share of the imports', () => {
  const spaces = [
    { spaceId: 'a', payer: 'one' },
    { spaceId: 'b', payer: 'one' },
    { spaceId: 'c', payer: 'c' },
  ];

  it('are all of its Spaces, also those without an import here', () => {
    expect(spacesAtShare(spaces, new Map([['one', { slots: 2 }]]), 2)).toEqual(['a', 'b']);
  });

  it('are none while it has less', () => {
    expect(spacesAtShare(spaces, new Map([['one', { slots: 1 }]]), 2)).toEqual([]);
  });
});
