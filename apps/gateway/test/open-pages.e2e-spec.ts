import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('pages that need no credential', () => {
  it('serve the console', async () => {
    const console = await platform.anonymous.raw('GET', '/console');
    expect(console.status).toBe(200);
    expect(console.headers['content-type']).toMatch(/^text\/html/);
  });

  it('tell an MCP client where its credentials come from', async () => {
    const metadata = await platform.anonymous.raw('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(metadata.status).toBe(200);
    expect(metadata.body.resource).toMatch(/\/mcp$/);
  });
});
