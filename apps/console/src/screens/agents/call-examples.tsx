import { type ReactNode, useState } from 'react';
import { Tabs } from 'radix-ui';
import type { Agent } from '@switchyard/client';
import { CopyButton } from '../../ui/copy-button';
import { Section } from '../../ui/page';

/** The same call in the words of each client. */
export function CallExamples({ agent }: { agent: Agent }): ReactNode {
  const host = window.location.origin;
  const ways: [string, string][] = [
    [
      'curl',
      `curl -sN ${host}/api/agents/${agent.id}/chat \\
  -H "authorization: Bearer $SWITCHYARD_KEY" \\
  -H 'x-service-stream-protocol: stream-v3' \\
  -H 'content-type: application/json' \\
  -d '{"contents": [{"type": "text", "text": "Hello!"}]}'`,
    ],
    [
      'TypeScript',
      `import { SwitchyardClient, text } from '@switchyard/client';

const client = new SwitchyardClient({ baseUrl: '${host}', credential: process.env.SWITCHYARD_KEY });
const turn = await client.agents.chat('${agent.id}', { contents: text('Hello!') });
for await (const event of turn) {
  if (event.name === 'content.delta') process.stdout.write(event.data.delta);
}`,
    ],
    [
      'openai',
      `from openai import OpenAI

client = OpenAI(base_url="${host}/openai/v1", api_key=os.environ["SWITCHYARD_KEY"])
answer = client.responses.create(model="${agent.id}", input="Hello!")
print(answer.output_text)`,
    ],
    [
      'AI SDK',
      `import { useChat } from '@ai-sdk/react';
import { SwitchyardChatTransport } from '@switchyard/client/ai-sdk';

const transport = new SwitchyardChatTransport({
  baseUrl: '${host}',
  credential: () => fetchToken(), // from your own server: a key does not belong in a page
  agentId: '${agent.id}',
  storage: sessionStorage,
});
const { messages, sendMessage, stop } = useChat({ id: 'main', transport, resume: true });`,
    ],
  ];
  const [way, setWay] = useState('curl');
  return (
    <Section title="Call it">
      <Tabs.Root value={way} onValueChange={setWay}>
        <Tabs.List aria-label="Clients" className="mb-3 flex gap-1">
          {ways.map(([name]) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="rounded-lg px-2.5 py-1 text-soft hover:bg-sunken data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-accent"
            >
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {ways.map(([name, code]) => (
          <Tabs.Content key={name} value={name} className="relative">
            <pre
              tabIndex={0}
              role="group"
              aria-label={`${name} call`}
              className="overflow-x-auto rounded-lg border border-line bg-sunken p-3 pr-10 font-mono text-xs"
            >
              {code}
            </pre>
            <div className="absolute top-1.5 right-1.5">
              <CopyButton text={code} label={`Copy ${name} call`} bare />
            </div>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Section>
  );
}
