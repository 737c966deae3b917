import { webQuery } from './web-search-query';

describe('webQuery', () => {
  it.each([
    ['plain -words "a phrase" or--so', 'plain -words "a phrase" or--so'],
    ['List<String>', 'List String '],
    ['-'.repeat(33), '-'],
    [`Total\n${'-'.repeat(32)}\npasta`, 'Total\n--\npasta'],
    ['- - - pasta', '- pasta'],
    ['a -(-(-| - b', 'a -- b'],
    ['"a"---b', '"a"-b'],
    ['in-----word', 'in-----word'],
    ['-\u3000-\u3000-', '-'],
    ['-<-<-', '-'],
  ])('%j becomes %j', (query, expected) => {
    expect(webQuery(query)).toBe(expected);
  });

  it('leaves no more minus signs in a row than the database takes', () => {
    const pieces = ['-', '-', '-', ' ', '(', ')', '!', '|', '&', '<', '>', '"', '\n', 'a', 'or'];
    for (let seed = 1; seed <= 500; seed += 1) {
      let state = seed;
      const next = (): number => (state = (state * 48_271) % 2_147_483_647);
      const query = Array.from({ length: 200 }, () => pieces[next() % pieces.length]).join('');
      expect(webQuery(query)).not.toMatch(/(?:^|[\s"])-(?:[\s!&|()]*-){2}/);
    }
  });
});
