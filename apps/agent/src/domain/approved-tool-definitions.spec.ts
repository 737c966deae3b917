import { withheld } from './approved-tool-definitions';

describe('what an MCP server offers', () => {
  const approved = { add: 'h1' };

  it('is taken as it was approved, and withheld where it is another', () => {
    expect(withheld(approved, { name: 'add', hash: 'h1' })).toBeNull();
    expect(withheld(approved, { name: 'add', hash: 'h2' })).toBe('changed');
    expect(withheld(approved, { name: 'launch', hash: 'h1' })).toBe('new');
    expect(withheld(approved, { name: 'constructor', hash: 'h1' })).toBe('new');
  });
});
