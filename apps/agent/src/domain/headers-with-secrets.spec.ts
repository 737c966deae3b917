import { McpServerInput, checkRequest } from '@switchyard/contracts';
import { headersWithSecrets } from './headers-with-secrets';
import { secretNamesOf } from './secret-rules';

describe('the headers of an MCP server', () => {
  it('are filled in within 32 KiB, and measured before', () => {
    const value = 'x'.repeat(8192);
    expect(headersWithSecrets({ a: 'Bearer {{ secrets.A }}' }, () => value)).toEqual({ a: `Bearer ${value}` });
    const many = { a: '{{ secrets.A }}'.repeat(4) };
    let reads = 0;
    expect(() =>
      headersWithSecrets(many, () => {
        reads += 1;
        return value;
      }),
    ).toThrow('at most 32768 bytes');
    expect(reads).toBe(4);
  });

  it('name at most 20 secrets', () => {
    const saved = (many: number): string[] => {
      const headers = { a: Array.from({ length: many }, (_, i) => `{{ secrets.N${i} }}`).join('') };
      return secretNamesOf({ mcpServers: [{ name: 'calc', url: 'https://a.example', headers }] });
    };
    expect(saved(20)).toHaveLength(20);
    expect(() => saved(21)).toThrow(
      expect.objectContaining({
        details: [{ path: 'mcpServers[0].headers', message: 'must not name more than 20 secrets together' }],
      }),
    );
  });

  it('are at most 50', () => {
    const server = (many: number): object => ({
      name: 'calc',
      url: 'https://a.example',
      headers: Object.fromEntries(Array.from({ length: many }, (_, i) => [`h${i}`, 'x'])),
    });
    expect(() => {
      checkRequest(McpServerInput, server(50));
    }).not.toThrow();
    expect(() => {
      checkRequest(McpServerInput, server(51));
    }).toThrow(/^headers /);
  });
});
