// The MCP server, with the official client: lists the tools, talks to an agent, and is asked its question.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SwitchyardClient } from '@switchyard/client';
import { key, url } from './settings';

const QUESTION = {
  kind: 'single_choice',
  prompt: 'Red or white?',
  options: [
    { id: 'red', label: 'Red' },
    { id: 'white', label: 'White' },
  ],
};

async function main(): Promise<void> {
  const agents = new SwitchyardClient({ baseUrl: url, credential: key }).agents;
  const agent = await agents.create({
    name: 'Sommelier',
    model: 'sim-chat',
    systemPrompt: 'You know wine.',
    tools: ['ask_user'],
  });

  const client = new Client(
    { name: 'example', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    console.log(`Asked: ${params.message}`);
    return { action: 'accept', content: { choice: 'red' } };
  });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));

  const { tools } = await client.listTools();
  console.log(`${tools.length} tools, the first is ${tools[0]?.name ?? ''}`);

  const text = `@@reply Let me see what goes with that.\n@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply Enjoy!`;
  let received = 0;
  const result = await client.callTool(
    { name: 'call_agent', arguments: { agentId: agent.id, text } },
    { onprogress: () => (received += 1) },
  );
  const { status, answer } = result.structuredContent as { status: string; answer: string };
  console.log(`${status} after ${received > 0 ? 'some' : 'no'} progress: ${answer}`);
  await client.close();
}

void main();
