import { withBoth } from './second-look';

describe('what failed in both runs', () => {
  const first = { 'a.ts': 'one', 'b.ts': 'two' };

  it('is told of each file with what a second run said of it', () => {
    expect(withBoth(first, { 'b.ts': 'three' })).toEqual({
      'a.ts': 'one\nand it passed alone',
      'b.ts': 'two\nand alone:\nthree',
    });
  });

  it('says nothing of a second run that did not end', () => {
    expect(withBoth(first, {})['a.ts']).toBe('one\nand the second run did not end');
  });
});
