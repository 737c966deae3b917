import { type TestSpace, usePlatform } from '@switchyard/testing';
import { brokenOff } from './support/broken-off';
import { FOREIGN_CHATS, type ForeignChat, type ChatTarget } from './support/foreign-chats';
import { OpenAiChat } from './support/openai-chat';

/**
 * Clients that cannot attach to a stream: it breaks off after each of its events, and they ask again by the same key.
 */
const platform = usePlatform();
const WORDS = '@@think well now\n@@reply one two three';
const TEXT = 'one two three';
const CLIENTS: Record<string, (target: ChatTarget) => Pick<ForeignChat, 'stream'>> = {
  'openai over chat completions': (target) => new OpenAiChat(target),
  ...FOREIGN_CHATS,
};

let space: TestSpace;
let model: string;
let apiKey: string;

beforeAll(async () => {
  space = await platform.newSpace();
  model = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' })).body.data.id;
  apiKey = (await space.key()).credential;
});

interface ClientRun {
  seen: string[];
  /** The last output before the interruption. */
  error: unknown;
  events: number;
  turnId: string | null;
}

/** Tells it to a client of this kind; `cut` events of it, or all. */
async function askOnce(
  begin: (target: ChatTarget) => Pick<ForeignChat, 'stream'>,
  key: string,
  cut?: number,
): Promise<ClientRun> {
  const run: ClientRun = { seen: [''], error: undefined, events: 0, turnId: null };
  const chat = begin({
    baseURL: `${platform.url}/openai/v1`,
    apiKey,
    agentId: model,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('idempotency-key', key);
      const answer = await fetch(input, { ...init, headers });
      run.turnId = answer.headers.get('x-turn-id');
      if (cut !== undefined) return brokenOff(answer, cut);
      const text = await answer.text();
      run.events = text.match(/^data:/gm)?.length ?? 0;
      return new Response(text, answer);
    },
  });
  await chat.stream(WORDS, { onText: (text) => run.seen.push(text) }).catch((error: unknown) => {
    run.error = error;
  });
  return run;
}

it.each(Object.entries(CLIENTS))('%s', async (_name, begin) => {
  const whole = await askOnce(begin, crypto.randomUUID());
  expect([whole.error, whole.seen.at(-1)]).toEqual([undefined, TEXT]);
  expect(whole.events).toBeGreaterThan(5);
  // Behind the last one the answer is complete, and nothing is lost.
  const cuts = Array.from({ length: whole.events - 1 }, (_, at) => at);
  await Promise.all(
    cuts.map(async (cut) => {
      const key = crypto.randomUUID();
      const broken = await askOnce(begin, key, cut);
      const again = await askOnce(begin, key);
      // The shown output is a prefix of the answer; the client reports an error unless it is complete.
      expect([cut, broken.seen.filter((each) => !TEXT.startsWith(each))]).toEqual([cut, []]);
      if (broken.error === undefined) expect([cut, broken.seen.at(-1)]).toEqual([cut, TEXT]);
      expect([cut, again.error, again.seen.at(-1)]).toEqual([cut, undefined, TEXT]);
      expect(again.turnId).toBe(broken.turnId);
    }),
  );
});
