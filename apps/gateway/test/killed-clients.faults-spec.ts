import { APICallError } from 'ai';
import OpenAI from 'openai';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { FOREIGN_CHATS, type ForeignChat, type ChatTarget } from './support/foreign-chats';
import { OpenAiChat } from './support/openai-chat';

/**
 * Clients that cannot attach to a stream, in the middle of their answers when a process is killed. All of them at once:
 * one process dies for all.
 */
const platform = usePlatform();
const WORDS = 60;
const SLOW = `@@delay 100\n@@tokens ${WORDS}`;
/** A model that is asked again seldom says the same. */
const OTHERWISE = `@@delay 100\n@@vary ${WORDS}`;
const CLIENTS: Record<string, (target: ChatTarget) => Pick<ForeignChat, 'stream'>> = {
  'openai over chat completions': (target) => new OpenAiChat(target),
  ...FOREIGN_CHATS,
};
const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

interface ClientRun {
  name: string;
  /** Output shown to the user over time. */
  seen: string[];
  error: unknown;
  turnIds: Set<string>;
  /** Asks again, in the same words and under the same key. */
  again: () => Promise<string>;
}

let space: TestSpace;
let model: string;
let apiKey: string;

beforeAll(async () => {
  // One of the clients tells of what it was refused.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  space = await platform.newSpace();
  model = (await space.owner.post('/agents', { name: 'A', model: 'sim-chat', systemPrompt: 'You test.' })).body.data.id;
  apiKey = (await space.key()).credential;
});

afterAll(() => Promise.all(['agent', 'gateway', 'relay'].map((name) => platform.service(name).ready())));

/** Begins a telling to each client, and kills the process once all of them hear something. */
async function runAll(words: string, process: string): Promise<ClientRun[]> {
  for (const name of ['agent', 'gateway', 'relay']) await platform.service(name).ready();
  const tellings = Object.entries(CLIENTS).map(([name, begin]) => {
    const run: ClientRun = { name, seen: [''], error: undefined, turnIds: new Set(), again: () => listen([]) };
    const key = crypto.randomUUID();
    const listen = async (seen: string[]): Promise<string> => {
      const chat = begin({
        baseURL: `${platform.url}/openai/v1`,
        apiKey,
        agentId: model,
        fetch: async (input, init) => {
          const headers = new Headers(init?.headers);
          headers.set('idempotency-key', key);
          const answer = await fetch(input, { ...init, headers });
          run.turnIds.add(answer.headers.get('x-turn-id') ?? '');
          return answer;
        },
      });
      return (await chat.stream(words, { onText: (text) => seen.push(text) })).text;
    };
    const done = listen(run.seen).catch((error: unknown) => {
      run.error = error;
    });
    return { telling: run, done };
  });
  await until(() => tellings.every(({ telling: run }) => wordsOf(run.seen.at(-1) ?? '').length > 5));
  await platform.service(process).kill('SIGKILL');
  await Promise.all(tellings.map(({ done }) => done));
  await platform.service(process).ready();
  return tellings.map(({ telling: run }) => run);
}

/**
 * With a code, what the stream itself says; the AI SDK gives it on as it stands there. Else what its connection says.
 */
function expectOwnClass(name: string, error: unknown, code?: string): void {
  if (code !== undefined) expect([name, error]).toEqual([name, expect.objectContaining({ code })]);
  else if (name.startsWith('the AI SDK')) expect(APICallError.isInstance(error)).toBe(true);
  else expect([name, String(error)]).toEqual([name, 'TypeError: terminated']);
  if (code !== undefined && !name.startsWith('the AI SDK')) expect(error).toBeInstanceOf(OpenAI.APIError);
}

/** Asked again, it is the answer of the same turn, all of it, as the ledger has it: nothing was run twice. */
async function expectRepeated({ turnIds, again }: ClientRun): Promise<string> {
  const whole = await again();
  expect(wordsOf(whole)).toHaveLength(WORDS);
  expect(turnIds.size).toBe(1);
  return whole;
}

it.each(['agent', 'relay'])(
  'tells each of them the same words once, to the end, when the %s is killed',
  async (process) => {
    for (const run of await runAll(SLOW, process)) {
      const { name, seen, error } = run;
      const whole = seen.at(-1) ?? '';
      expect([name, error, wordsOf(whole).length]).toEqual([name, undefined, WORDS]);
      expect(seen.filter((each) => !whole.startsWith(each))).toEqual([]);
      expect(await expectRepeated(run)).toBe(whole);
    }
  },
  120_000,
);

it('ends with an error of their own when the gateway is killed, and is told whole to who asks again', async () => {
  for (const run of await runAll(SLOW, 'gateway')) {
    const { name, seen, error } = run;
    expectOwnClass(name, error);
    const whole = await expectRepeated(run);
    expect(seen.filter((each) => !whole.startsWith(each))).toEqual([]);
  }
}, 300_000);

it.each(['agent', 'relay'])(
  'ends with an error where other words would follow when the %s is killed, and is told whole to who asks again',
  async (process) => {
    for (const run of await runAll(OTHERWISE, process)) {
      const { name, seen, error } = run;
      expectOwnClass(name, error, 'RUNTIME_UNAVAILABLE');
      const output = wordsOf(seen.at(-1) ?? '');
      const whole = wordsOf(await expectRepeated(run));
      // It contains no void output, and nothing was sent together with void output.
      expect([name, whole.filter((word) => output.includes(word))]).toEqual([name, []]);
      expect(output.length).toBeLessThan(WORDS);
    }
  },
  120_000,
);
