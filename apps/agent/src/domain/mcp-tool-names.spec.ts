import { ambiguityOf, checkMcpNames, mcpToolName } from './mcp-tool-names';

describe('the name of an MCP tool', () => {
  it('is the server and the tool', () => expect(mcpToolName('files', 'read_file')).toBe('files__read_file'));

  it('stays within what models accept, and stays unique', () => {
    const long = ['a', 'b'].map((end) => mcpToolName('server', `${'x'.repeat(80)}${end}`));
    for (const name of [...long, mcpToolName('server', 'päth/to tool')]) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(long[0]).not.toBe(long[1]);
  });
});

describe('names of MCP servers', () => {
  const refused = (
    server: { name: string; allowedTools?: string[] },
    before: { name: string }[] = [],
  ): string | null => {
    try {
      checkMcpNames([server], before);
      return null;
    } catch (error) {
      return (error as { details: { path: string }[] }).details[0]?.path ?? '';
    }
  };

  it.each([
    [{ name: 'a__b' }, 'mcpServers[0].name'],
    [{ name: 'a_' }, 'mcpServers[0].name'],
    [{ name: 'a', allowedTools: ['x', 'b__c'] }, 'mcpServers[0].allowedTools[1]'],
    [{ name: 'a_b', allowedTools: ['_c', 'd_'] }, null],
  ])('are refused where they leave open which server a tool is of: %j', (server, path) => {
    expect(refused(server)).toBe(path);
  });

  it('of before are left as they are', () => {
    expect(refused({ name: 'a__b' }, [{ name: 'a__b' }])).toBeNull();
  });

  it('make a tool ambiguous where another server could have one of the same name', () => {
    const servers = [{ name: 'a' }, { name: 'a__b' }];
    expect(ambiguityOf('a__b', 'c', servers)).toContain('server a ');
    expect(ambiguityOf('a', 'b__c', servers)).toContain('server a__b ');
    expect(ambiguityOf('a', 'c', servers)).toBeNull();
    expect(ambiguityOf('a', 'b__c', [{ name: 'a' }])).toBeNull();
  });
});
