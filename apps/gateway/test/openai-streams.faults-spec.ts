import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const SLOW = '@@delay 60\n@@tokens 60';

type Event = OpenAI.Responses.ResponseStreamEvent;

describe('a stream of OpenAI Responses whose platform is killed', () => {
  let openai: OpenAI;
  let model: string;

  beforeAll(async () => {
    const space = await platform.newSpace();
    const body = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' };
    model = (await space.owner.post('/agents', body)).body.data.id;
    const key = await space.key();
    openai = new OpenAI({ baseURL: `${platform.url}/openai/v1`, apiKey: key.credential, maxRetries: 5 });
  });

  afterAll(() => Promise.all(['agent', 'gateway', 'relay'].map((name) => platform.service(name).ready())));

  /** Reads to the end, attaching again wherever the stream breaks off. */
  async function readWhole(during: (event: Event) => Promise<void>): Promise<Event[]> {
    const events: Event[] = [];
    let id = '';
    const take = async (stream: AsyncIterable<Event>): Promise<void> => {
      for await (const event of stream) {
        events.push(event);
        if (event.type === 'response.created') id = event.response.id;
        await during(event);
      }
    };
    const isOver = (): boolean => /completed$|failed$|incomplete$/.test(events.at(-1)?.type ?? '');
    await take(await openai.responses.create({ model, input: SLOW, stream: true })).catch(() => undefined);
    for (let tries = 0; tries < 60 && events.at(-1)?.type !== 'response.completed' && !isOver(); tries += 1) {
      await sleep(500);
      const from = events.at(-1)?.sequence_number ?? 0;
      await openai.responses
        .retrieve(id, { stream: true, starting_after: from })
        .then(take, () => undefined)
        .catch(() => undefined);
    }
    return events;
  }

  it.each(['agent', 'gateway', 'relay'])(
    'is told to its end, with nothing twice: %s',
    async (name) => {
      let seen = 0;
      const events = await readWhole(async (event) => {
        if (event.type !== 'response.output_text.delta') return;
        seen += 1;
        if (seen === 10) await platform.service(name).kill('SIGKILL');
      });
      await platform.service(name).ready();
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at));
      const last = events.at(-1);
      if (last?.type !== 'response.completed') throw new Error(`it ended with ${String(last?.type)}`);
      const output = last.response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
      const text = output.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
      expect(text.split(' ').filter((word) => word !== '')).toHaveLength(60);
      const again = await openai.responses.retrieve(last.response.id);
      expect(again.output).toEqual(last.response.output);
      // Items that a client shows; those closed as incomplete are void.
      const shown = new Map<string, string>();
      for (const event of events) {
        if (event.type === 'response.output_text.delta')
          shown.set(event.item_id, (shown.get(event.item_id) ?? '') + event.delta);
        if (
          event.type === 'response.output_item.done' &&
          event.item.type === 'message' &&
          event.item.status === 'incomplete'
        )
          shown.delete(event.item.id);
      }
      expect([...shown.values()].join('')).toBe(text);
    },
    120_000,
  );
});
