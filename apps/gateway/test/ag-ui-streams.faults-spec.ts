import { setTimeout as sleep } from 'node:timers/promises';
import { EventType, HttpAgent, type BaseEvent } from '@ag-ui/client';
import { type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const WORDS = 60;
const SAME = `@@delay 60\n@@tokens ${WORDS}`;
/** A model that is asked again seldom says the same. */
const OTHER = `@@delay 60\n@@vary ${WORDS}`;

/** The client throws outside of its promise when a connection is reset: here a stream that breaks just ends. */
const ending: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const reader = answer.body?.getReader();
  if (!reader) return answer;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const read = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (read.done) controller.close();
      else controller.enqueue(read.value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(body, answer);
};

describe('a run of AG-UI whose platform is killed', () => {
  let space: TestSpace;
  let agentId: string;
  let credential: string;

  beforeAll(async () => {
    // The client tells of each run that breaks off.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    space = await platform.newSpace();
    const body = { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' };
    agentId = (await space.owner.post('/agents', body)).body.data.id;
    credential = (await space.key()).credential;
  });

  afterAll(() => Promise.all(['agent', 'gateway', 'relay'].map((name) => platform.service(name).ready())));

  const newClient = (): HttpAgent =>
    new HttpAgent({
      url: `${platform.url}/ag-ui/${agentId}`,
      headers: { authorization: `Bearer ${credential}` },
      fetch: ending,
    });

  /** Runs to the end, sending the run again wherever its stream breaks off. */
  async function runWhole(client: HttpAgent, runId: string, during: (event: BaseEvent) => void): Promise<string> {
    let last = '';
    const run = (): Promise<unknown> =>
      client.runAgent(
        { runId },
        {
          onEvent: ({ event }) => {
            last = event.type;
            during(event);
          },
        },
      );
    await run().catch(() => undefined);
    for (let tries = 0; tries < 60 && last !== 'RUN_FINISHED' && last !== 'RUN_ERROR'; tries += 1) {
      await sleep(500);
      await run().catch(() => undefined);
    }
    return last;
  }

  it.each([
    ['agent', 'the same words', SAME],
    ['gateway', 'the same words', SAME],
    ['relay', 'the same words', SAME],
    ['agent', 'other words', OTHER],
  ])(
    'has its words once, in the client as in the session: %s, then %s',
    async (name, _then, words) => {
      const client = newClient();
      client.threadId = crypto.randomUUID();
      client.addMessage({ id: crypto.randomUUID(), role: 'user', content: words });
      const runId = crypto.randomUUID();
      let seen = 0;
      let killed: Promise<void> | undefined;
      const end = await runWhole(client, runId, ({ type }) => {
        if (type !== EventType.TEXT_MESSAGE_CONTENT) return;
        seen += 1;
        if (seen === 10) killed = platform.service(name).kill('SIGKILL');
      });
      await killed;
      await platform.service(name).ready();
      expect(end).toBe('RUN_FINISHED');
      // Some of it was said, and said again.
      expect(seen).toBeGreaterThan(10);
      const shown = client.messages.flatMap((message) => (message.role === 'assistant' ? [message.content ?? ''] : []));
      expect(shown).toHaveLength(1);
      expect(shown[0]?.split(' ').filter((word) => word !== '')).toHaveLength(WORDS);
      const stored = (await space.owner.get(`/agents/sessions/${client.threadId}/messages`)).body.data as {
        role: string;
        content: { text: string }[];
      }[];
      expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(stored[1]?.content.map(({ text }) => text).join('')).toBe(shown[0]);
      // A repeated run gets the same output, and nothing runs again.
      const again = newClient();
      again.threadId = client.threadId;
      again.setMessages(client.messages.slice(0, 1));
      expect(await runWhole(again, runId, () => undefined)).toBe('RUN_FINISHED');
      expect(again.messages.at(-1)).toMatchObject({ role: 'assistant', content: shown[0] });
    },
    120_000,
  );
});
