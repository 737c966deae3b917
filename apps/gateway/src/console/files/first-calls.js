import { get } from './api.js';
import { h } from './dom.js';

/** The agent that the examples call: one of the Space's own that may be called, or one that every Space has. */
async function exampleAgent() {
  const [own] = await get('/agents?accessibleOnly=true&limit=1');
  if (own) return own;
  const [system] = await get('/agents/system-agents');
  return system;
}

const quoted = (value) => JSON.stringify(value);

function calls(agent, key) {
  const host = location.origin;
  const auth = `-H "Authorization: Bearer ${key}"`;
  const json = `-H 'Content-Type: application/json'`;
  const contents = quoted({ contents: [{ type: 'text', text: 'Hello!' }] });
  const messages = quoted({ model: agent.model, messages: [{ role: 'user', content: 'Hello!' }] });
  const mcp = {
    mcpServers: { switchyard: { type: 'http', url: `${host}/mcp`, headers: { Authorization: `Bearer ${key}` } } },
  };
  return [
    ['The agents that the key may call', `curl -s ${auth} '${host}/api/agents?accessibleOnly=true'`],
    [
      `A chat with ${agent.name}, as a stream`,
      `curl -sN ${auth} ${json} -H 'Accept: text/event-stream' -H 'X-Service-Stream-Protocol: stream-v3' ` +
        `${host}/api/agents/${agent.id}/chat -d '${contents}'`,
    ],
    [
      'The models, for whatever speaks OpenAI (base URL and key are all that changes)',
      `curl -s ${auth} ${json} ${host}/models/v1/chat/completions -d '${messages}'`,
    ],
    ['An MCP client (Claude, Cursor, VS Code)', JSON.stringify(mcp, null, 2)],
  ];
}

/** What to try first, with the ids of the one who reads it. Without a key the variable stands for it. */
export async function firstCalls(key = '$KEY') {
  const agent = await exampleAgent();
  if (!agent) return null;
  return h(
    'details',
    { class: 'card', open: key !== '$KEY' },
    h('summary', {}, 'First calls'),
    calls(agent, key)
      .map(([title, text]) => [h('p', {}, title), h('pre', { class: 'call' }, text)])
      .flat(),
  );
}
