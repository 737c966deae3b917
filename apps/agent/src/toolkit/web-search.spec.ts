import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentConfig } from '../agent.config';
import { WebSearch } from './web-search';

describe('web search', () => {
  let server: Server;
  const seen: { url?: string | undefined; key?: string | undefined }[] = [];
  let body = '';

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ url: request.url, key: request.headers.authorization });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  const search = (settings: Partial<AgentConfig>): WebSearch => new WebSearch({ ...new AgentConfig(), ...settings });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/find?q={query}`;

  it('asks the configured provider and reads the usual shapes', async () => {
    body = JSON.stringify({ results: [{ title: 'T', link: 'https://x/', content: 'C' }] });
    const found = await search({ WEB_SEARCH_URL: url(), WEB_SEARCH_KEY: 'k' }).search(
      'a & b',
      new AbortController().signal,
    );
    expect(found).toEqual([{ title: 'T', url: 'https://x/', snippet: 'C' }]);
    expect(seen[0]).toEqual({ url: '/find?q=a%20%26%20b', key: 'Bearer k' });
  });

  it('is not there unless it is configured', () => {
    expect(search({}).isConfigured).toBe(false);
    expect(search({ WEB_SEARCH_URL: 'http://x/' }).isConfigured).toBe(true);
  });

  it('fails in words when the provider talks nonsense', async () => {
    body = '<html>';
    await expect(search({ WEB_SEARCH_URL: url() }).search('x', new AbortController().signal)).rejects.toMatchObject({
      code: 'TOOL_FAILED',
    });
  });
});
