import { usePlatform } from '@switchyard/testing';
import { Client as LangGraph } from '@langchain/langgraph-sdk';

const platform = usePlatform();
const SAME = '@@delay 60\n@@tokens 60';
/** A model that is asked again seldom says the same. */
const OTHER = '@@delay 60\n@@vary 60';

interface ShownItem {
  method: string;
  params: { data: Record<string, unknown> & { event?: string } };
}

describe('the stream of a thread whose platform is killed', () => {
  let client: LangGraph;
  let assistantId: string;

  beforeAll(async () => {
    const space = await platform.newSpace();
    const body = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' };
    assistantId = (await space.owner.post('/agents', body)).body.data.id;
    const { credential } = await space.key();
    client = new LangGraph({ apiUrl: `${platform.url}/langgraph`, apiKey: credential });
  });

  afterAll(() => Promise.all(['agent', 'gateway', 'relay'].map((name) => platform.service(name).ready())));

  it.each([
    ['agent', 'the same words', SAME],
    ['gateway', 'the same words', SAME],
    ['relay', 'the same words', SAME],
    ['agent', 'other words', OTHER],
  ])(
    'is told to its end, with nothing twice: %s, then %s',
    async (name, _then, words) => {
      const { thread_id: threadId } = await client.threads.create({ graphId: assistantId });
      const thread = client.threads.stream(threadId, {
        assistantId,
        maxReconnectAttempts: 60,
        reconnectDelayMs: () => 500,
      });
      const subscription = await thread.subscribe({ channels: ['messages', 'values', 'lifecycle'] });
      await thread.run.start({ input: { messages: [{ type: 'human', content: words }] } });
      /** Messages that a client shows; withdrawn ones are void. */
      const shown = new Map<string, string>();
      let id = '';
      let deltas = 0;
      let last: ShownItem | undefined;
      for await (const event of subscription as AsyncIterable<unknown>) {
        last = event as ShownItem;
        const { method, params } = last;
        if (method !== 'messages') continue;
        const { data } = params;
        if (data.event === 'message-start') shown.set((id = String(data['id'])), '');
        if (data.event === 'error') shown.delete(id);
        if (data.event !== 'content-block-delta') continue;
        shown.set(id, `${shown.get(id) ?? ''}${(data['delta'] as { text: string }).text}`);
        deltas += 1;
        if (deltas === 10) await platform.service(name).kill('SIGKILL');
      }
      await thread.close();
      await platform.service(name).ready();
      expect(last?.params.data.event).toBe('completed');
      const text = [...shown.values()].join('');
      expect(text.split(' ').filter((word) => word !== '')).toHaveLength(60);
      const state = await client.threads.getState<{ messages: { content: string }[] }>(threadId);
      expect(state.values.messages.at(-1)?.content).toBe(text);
    },
    120_000,
  );
});
