import { randomUUID } from 'node:crypto';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { SwitchyardChatTransport, type SwitchyardMessage } from '@switchyard/client/ai-sdk';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

/** A message of the AI SDK is the same, wherever its stream is cut: beneath the transport, or by a reload of its page. */
const platform = usePlatform();
const WORDS = '@@think well now\n@@reply Let me look.\n@@tool query_dataset {}\n@@reply one two three';

let space: TestSpace;
let member: Client;
let agentId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  member = await space.member();
  const body = { name: 'Helper', model: 'sim-chat', systemPrompt: 'Help.', tools: ['query_dataset'] };
  agentId = (await member.post('/agents', body)).body.data.id;
});

/** Gives its events one by one, and breaks off after so many of them. */
function cutAfter(answer: Response, events: number): Response {
  let remaining = events;
  let rest = '';
  const cut = new TransformStream<string, string>({
    transform(text, sink) {
      const sent = (rest + text).split(/(?<=\n\n)/);
      rest = sent.at(-1)?.endsWith('\n\n') ? '' : (sent.pop() ?? '');
      for (const event of sent) {
        if (!/^(?:id|data|event):/m.test(event)) continue;
        if (remaining === 0) sink.terminate();
        if (remaining === 0) return;
        remaining -= 1;
        sink.enqueue(event);
      }
    },
  });
  const body = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(cut).pipeThrough(new TextEncoderStream());
  return new Response(body, answer);
}

/** Connections that break: the first stream after so many events, all others never. Counts what the first one has. */
function breaking(events: number): typeof fetch {
  let isFirst = true;
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream') || !isFirst) return answer;
    isFirst = false;
    return cutAfter(answer, events);
  };
}

const transportOf = (more: object = {}): SwitchyardChatTransport =>
  new SwitchyardChatTransport({ baseUrl: platform.url, credential: member.credential, agentId, ...more });

const send = (transport: SwitchyardChatTransport, chatId: string): Promise<ReadableStream<UIMessageChunk>> =>
  transport.sendMessages({
    trigger: 'submit-message',
    chatId,
    messageId: undefined,
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: WORDS }] }],
    abortSignal: undefined,
  });

async function readWhole(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage | undefined> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream<SwitchyardMessage>({ stream, terminateOnError: true }))
    last = message;
  return last;
}

/** Without the ids of calls and turns, which differ. */
const shown = (message: UIMessage | undefined): unknown =>
  message?.parts.map((part) => [
    part.type,
    'text' in part ? part.text : null,
    'state' in part ? part.state : null,
    'errorText' in part ? part.errorText : null,
  ]);

async function wholeMessage(): Promise<{ frames: number; chunks: number; is: unknown }> {
  let frames = 0;
  const counting: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
    const text = await answer.text();
    frames = text.match(/^id:/gm)?.length ?? 0;
    return new Response(text, answer);
  };
  const [stream, copy] = (await send(transportOf({ fetch: counting }), randomUUID())).tee();
  let chunks = 0;
  const counted = (async () => {
    for await (const _ of copy) chunks += 1;
  })();
  const message = await readWhole(stream);
  await counted;
  return { frames, chunks, is: shown(message) };
}

it('is whole where the connection breaks beneath it, after any of its frames', async () => {
  const { frames, is } = await wholeMessage();
  expect(frames).toBeGreaterThan(15);
  expect(JSON.stringify(is)).toContain('one two three');
  const cuts = Array.from({ length: frames }, (_, at) => at);
  const sent = await Promise.all(
    cuts.map(async (cut) => readWhole(await send(transportOf({ fetch: breaking(cut) }), randomUUID()))),
  );
  for (const message of sent) expect(shown(message)).toEqual(is);
});

it('is whole where its page is left after any of its chunks, and another one goes on', async () => {
  const { chunks, is } = await wholeMessage();
  const cuts = Array.from({ length: chunks - 1 }, (_, at) => at);
  const sent = await Promise.all(
    cuts.map(async (cut) => {
      const stored = new Map<string, string>();
      const storage = {
        getItem: (name: string): string | null => stored.get(name) ?? null,
        setItem: (name: string, value: string): void => void stored.set(name, value),
      };
      const chatId = randomUUID();
      const reader = (await send(transportOf({ storage }), chatId)).getReader();
      for (let read = 0; read < cut; read += 1) await reader.read();
      // Notes that the closed page still writes are not visible to the next one.
      const remaining = new Map(stored);
      await reader.cancel();
      const again = {
        getItem: (name: string): string | null => remaining.get(name) ?? null,
        setItem: (): void => undefined,
      };
      const stream = await transportOf({ storage: again }).reconnectToStream({ chatId });
      return stream === null ? null : readWhole(stream);
    }),
  );
  expect(sent.filter((message) => message === null)).toEqual([]);
  for (const message of sent) expect(shown(message ?? undefined)).toEqual(is);
});

it('has the usage of the ledger, though its connection broke', async () => {
  const own = await member.post('/agents', { name: 'Counted', model: 'sim-chat', systemPrompt: 'Help.' });
  const counted = own.body.data.id as string;
  const transport = transportOf({ agentId: counted, fetch: breaking(6) });
  const message = (await readWhole(await send(transport, randomUUID()))) as SwitchyardMessage | undefined;
  const used = message?.metadata?.usage?.total_tokens;
  expect(used).toBeGreaterThan(0);
  await until(async () => {
    const { data } = (await space.owner.get('/usage?groupBy=agent')).body;
    return (data as { agent: string; tokens: number }[]).some((row) => row.agent === counted && row.tokens === used);
  });
});
