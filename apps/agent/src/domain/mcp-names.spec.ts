import { mcpToolName } from './mcp-names';

describe('the name of an MCP tool', () => {
  it('is the server and the tool', () => expect(mcpToolName('files', 'read_file')).toBe('files__read_file'));

  it('stays within what models accept, and stays unique', () => {
    const long = ['a', 'b'].map((end) => mcpToolName('server', `${'x'.repeat(80)}${end}`));
    for (const name of [...long, mcpToolName('server', 'päth/to tool')]) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(long[0]).not.toBe(long[1]);
  });
});
