// The relay, with the client that OpenAI makes: another base URL and another key, and nothing else.
import OpenAI from 'openai';
import { key, url } from './settings';

async function main(): Promise<void> {
  const openai = new OpenAI({ baseURL: `${url}/models/v1`, apiKey: key });

  const models = await openai.models.list();
  console.log(`Models: ${models.data.map(({ id }) => id).join(', ')}`);

  const stream = await openai.chat.completions.create({
    model: 'sim-chat',
    messages: [{ role: 'user', content: 'Good morning!' }],
    stream: true,
  });
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
  console.log();

  const { data } = await openai.embeddings.create({ model: 'sim-embed', input: ['a train', 'a railway'] });
  console.log(`Embeddings: ${data.length} vectors of ${data[0]?.embedding.length ?? 0} numbers`);
}

void main();
