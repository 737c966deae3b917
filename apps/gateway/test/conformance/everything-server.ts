import { McpServer, createRequestStateCodec } from '@modelcontextprotocol/server';
import { addAnswers } from './everything-answers';
import { addDocuments } from './everything-documents';
import { addQuestions } from './everything-questions';

const CACHE = { ttlMs: 5000, cacheScope: 'private' as const };
const codec = createRequestStateCodec<Record<string, unknown>>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** The tools, resources and prompts that the conformance suite calls by name, for our door and transport to serve. */
export function makeEverythingServer(): McpServer {
  const server = new McpServer(
    { name: 'switchyard-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
      cacheHints: {
        'tools/list': CACHE,
        'prompts/list': CACHE,
        'resources/list': CACHE,
        'resources/templates/list': CACHE,
        'resources/read': CACHE,
        'server/discover': CACHE,
      },
    },
  );
  addAnswers(server);
  addQuestions(server, codec.mint);
  addDocuments(server);
  return server;
}
