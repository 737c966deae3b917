import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Neighbour, Scene } from '../neighbour';

/** As many as a system prompt may have. */
const PLACEHOLDERS = 500;
const KIB = 1024;

const agent = (scene: Scene, more: object = {}): Promise<string> =>
  scene.hostile.make('/api/agents', { name: 'Attack', model: 'sim-chat', systemPrompt: 'You talk.', ...more });

const description = (script: string): object => ({ contents: [{ type: 'text', text: script }] });

/** A chat as a stream, whose client does with the connection what it likes. */
function streamed(scene: Scene, agentId: string, script: string): string {
  const body = JSON.stringify(description(script));
  return [
    `POST /api/agents/${agentId}/chat HTTP/1.1`,
    'host: attack',
    `authorization: Bearer ${scene.hostile.key}`,
    'accept: text/event-stream',
    'x-service-stream-protocol: stream-v3',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Schemas that fill a heap where they are compiled, and the largest that may be, each another one. */
export const costlySchemas: Neighbour = {
  name: 'costly-schemas',
  bound: 'JSON Schemas of users',
  refusals: [400],
  prepare: async (scene) => {
    const agentId = await agent(scene);
    let made = 0;
    const largest = (): object => ({
      properties: Object.fromEntries(
        Array.from({ length: 900 }, (_, at) => [`f${at}_${(made += 1)}`, { type: 'string', maxLength: at }]),
      ),
    });
    const filling = { allOf: Array.from({ length: 60 }, (_, at) => ({ pattern: `(?:[\\p{L}${at}]{30}){30}` })) };
    const execute = (responseSchema: object): ReturnType<typeof scene.hostile.ask> =>
      scene.hostile.ask(`/api/agents/${agentId}/execute`, { body: { inputs: { query: 'hi' }, responseSchema } });
    return {
      run: () => scene.hostile.lanes(scene.size(4, 12), (shard) => execute(shard % 2 === 0 ? filling : largest())),
    };
  },
};

/** Prompts that their values make as large as may be, and larger: in turns, and over MCP. */
export const growingPrompts: Neighbour = {
  name: 'growing-prompts',
  bound: 'what a system prompt grows to',
  refusals: [400],
  prepare: async (scene) => {
    const agentId = await agent(scene, {
      systemPrompt: '{{a}}'.repeat(PLACEHOLDERS),
      promptVariables: [{ name: 'a', description: 'A text.' }],
    });
    const [largest, tooLarge] = ['x'.repeat(2_000), 'x'.repeat(10_000)];
    const execute = (a: string): ReturnType<typeof scene.hostile.ask> =>
      scene.hostile.ask(`/api/agents/${agentId}/execute`, { body: { inputs: { query: 'hi', a } } });
    const prompt = (a: string): ReturnType<typeof scene.hostile.ask> =>
      scene.hostile.ask('/mcp', {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'prompts/get',
          params: { name: `agent-${agentId}`, arguments: { a } },
        },
        headers: { accept: 'application/json, text/event-stream' },
      });
    return {
      run: () =>
        scene.hostile.lanes(scene.size(4, 16), (caller) =>
          (caller % 2 === 0 ? execute : prompt)(caller % 4 < 2 ? largest : tooLarge),
        ),
    };
  },
};

/** As large as an agent may be: half of them more than their model takes, half of them just what it takes. */
const largestAgent = (at: number): object => {
  const crowded = (bytes: number): object => ({
    a: Array.from({ length: Math.floor((bytes - 8) / 6) }, () => 12_345),
  });
  const filter = {
    or: Array.from({ length: 500 }, (_, n) => ({ [`a.b.c${n % 10}`]: { ne: `${at}`.padEnd(11, 'x') } })),
  };
  const isRefused = at % 2 === 0;
  return {
    systemPrompt: isRefused ? '{{a}}'.repeat(500).padEnd(100_000, '{') : 'You talk.',
    promptVariables: [{ name: 'a', default: isRefused ? 'x'.repeat(1_000) : crowded(60 * KIB) }],
    localTools: Array.from({ length: isRefused ? 4 : 1 }, (_, n) => ({
      name: `t${n}`,
      description: 'A tool.',
      parameters: { type: 'object', examples: isRefused ? [crowded(60 * KIB)] : [] },
    })),
    approvals: Array.from({ length: 15 }, () => ({ tool: 'none', when: filter })),
    responseSchema: { type: 'object', examples: [crowded(60 * KIB)] },
    metadata: crowded(16 * KIB),
  };
};

/** Turns of so many different agents that no cache has them all. */
export const largestAgents: Neighbour = {
  name: 'largest-agents',
  bound: 'agents read, and large prompts sent',
  refusals: [400],
  prepare: async (scene) => {
    const ids: string[] = [];
    for (let at = 0; at < scene.size(20, 100); at += 1) ids.push(await agent(scene, largestAgent(at)));
    const body = { stream: false, ...description('@@reply Good.') };
    return {
      run: () =>
        scene.hostile.lanes(ids.length, (shard) => scene.hostile.ask(`/api/agents/${ids[shard]}/chat`, { body })),
    };
  },
};

/** Turns that go on although their clients have left. */
export const detachedTurns: Neighbour = {
  name: 'detached-turns',
  bound: 'turn slots',
  prepare: async (scene) => {
    const agentId = await agent(scene);
    return {
      run: () =>
        scene.hostile.lanes(scene.size(20, 60), async () => {
          const socket = await scene.hostile.socket(streamed(scene, agentId, '@@delay 15000\n@@reply Late.'));
          await new Promise((resolve) => setTimeout(resolve, 300));
          socket.destroy();
        }),
    };
  },
};

/** Streams of thousands of tokens that their clients do not read. */
export const slowReaders: Neighbour = {
  name: 'slow-readers',
  bound: 'bytes that wait for a reader',
  prepare: async (scene) => {
    const agentId = await agent(scene);
    return {
      run: () =>
        scene.hostile.lanes(scene.size(10, 100), async () => {
          const socket = await scene.hostile.socket(streamed(scene, agentId, '@@tokens 4000'));
          socket.pause();
          await scene.hostile.hold();
        }),
    };
  },
};

/** As many frames as its models can make. */
export const frames: Neighbour = {
  name: 'frames',
  bound: 'frames kept',
  prepare: async (scene) => {
    const agentId = await agent(scene);
    const body = { stream: false, ...description('@@tokens 4000') };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(4, 16), () => scene.hostile.ask(`/api/agents/${agentId}/chat`, { body })),
    };
  },
};

/** Answers in one piece that take their time: neither streams nor connections count them. */
export const waits: Neighbour = {
  name: 'waits',
  bound: 'answers waited for, no stream',
  prepare: async (scene) => {
    const agentId = await agent(scene);
    const body = { stream: false, ...description('@@delay 15000\n@@reply At last.') };
    return {
      run: () =>
        scene.hostile.lanes(scene.size(200, 1_500), () => scene.hostile.ask(`/api/agents/${agentId}/chat`, { body })),
    };
  },
};

/** More calls of a slow model than its upstream may have connections. */
export const modelConnections: Neighbour = {
  name: 'model-connections',
  bound: 'connections to a model provider',
  prepare: ({ hostile, size }) => {
    const messages = [{ role: 'user', content: '@@delay 10000\n@@reply At last.' }];
    const body = { model: 'sim-chat', max_tokens: 5, messages };
    return Promise.resolve({
      run: () => hostile.lanes(size(280, 400), () => hostile.ask('/models/v1/chat/completions', { body })),
    });
  },
};

/** Every page of its tools has eight megabytes and another page behind it. */
export const endlessTools: Neighbour = {
  name: 'endless-tools',
  bound: 'tools of an MCP server',
  prepare: async (scene) => {
    const page = Array.from({ length: 8 }, (_, n) => ({
      name: `tool-${n}`,
      description: 'x'.repeat(1_000_000),
      inputSchema: { type: 'object' },
    }));
    let count = 0;
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { id, method } = JSON.parse(text || '{}') as { id?: number; method?: string };
        response.setHeader('content-type', 'application/json');
        if (id === undefined) return void response.writeHead(202).end();
        count += 1;
        const result =
          method === 'tools/list'
            ? { tools: page.map((tool) => ({ ...tool, name: `${tool.name}-${count}` })), nextCursor: `page-${count}` }
            : {
                protocolVersion: '2025-06-18',
                capabilities: { tools: {} },
                serverInfo: { name: 'endless', version: '1' },
              };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}/mcp`;
    const agentId = await agent(scene, { mcpServers: [{ name: 'endless', url }] });
    return {
      run: () => scene.hostile.lanes(scene.size(2, 6), () => scene.hostile.ask(`/api/agents/${agentId}/mcp/tools`)),
      close: () => server.close().closeAllConnections(),
    };
  },
};

/** Texts on which a tokenizer takes longest: long words, and a million of short ones. */
export const tokenizing: Neighbour = {
  name: 'tokenizing',
  bound: 'tokenizing',
  refusals: [400],
  prepare: ({ hostile, size }) => {
    const texts = ['a'.repeat(1_000_000), 'Ω\u200d'.repeat(400_000), ' .'.repeat(500_000)];
    return Promise.resolve({
      run: () =>
        hostile.lanes(size(2, 6), (shard) => {
          const content = texts[shard % texts.length];
          const body = { model: 'sim-chat', max_tokens: 5, messages: [{ role: 'user', content }] };
          return hostile.ask('/models/v1/chat/completions', { body });
        }),
    });
  },
};
