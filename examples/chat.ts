// An agent that answers as a stream, asks its user, and goes on with the answer.
import { SwitchyardClient, text } from '@switchyard/client';
import { key, url } from './settings';

const QUESTION = {
  kind: 'single_choice',
  prompt: 'Window or aisle?',
  options: [
    { id: 'window', label: 'Window' },
    { id: 'aisle', label: 'Aisle' },
  ],
};

async function main(): Promise<void> {
  const client = new SwitchyardClient({ baseUrl: url, credential: key });
  const agent = await client.agents.create({
    name: 'Travel agent',
    model: 'sim-chat',
    systemPrompt: 'You book seats.',
    tools: ['ask_user'],
  });

  // With a real model this would just be "Book me a seat": the simulator is told what to do.
  const script = `@@reply One moment.\n@@tool ask_user ${JSON.stringify(QUESTION)}\n@@reply Booked: {{tool}}`;
  const request = await client.agents.chat(agent.id, { contents: text(script) });
  for await (const event of request) {
    if (event.name === 'content.delta') process.stdout.write(event.data.delta);
    if (event.name === 'agent.input.required') console.log(`\nThe agent asks: ${event.data.interaction.prompt}`);
  }

  const answered = await request.answer({ selectedOptionIds: ['window'] });
  console.log(await answered.text());

  const transcript = [];
  for await (const message of client.sessions.transcript(answered.sessionId ?? '')) transcript.push(message.role);
  console.log(`The transcript: ${transcript.join(', ')}`);
}

void main();
