import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { Frame } from '../stream/frame';
import { shownParts, type SwitchyardMessage } from './ui-message-types';
import { withoutVoid } from './filter-replayed-frames';
import { UiChunks } from './ui-chunks';

let seq = 0;
const frame = (method: Frame['method'], data: Record<string, unknown>): Frame => {
  seq += 1;
  return { type: 'event', method, params: { namespace: [], timestamp: 0, data }, seq };
};
const product = (event: string, data: object = {}): Frame => frame('custom:service', { event, ...data });
const started = (): Frame => product('session-started', { session_id: 's', turn_id: 't', agent_id: 'a' });
const begin = (id: string): Frame => frame('messages', { event: 'message-start', id });
const finish = (): Frame => frame('messages', { event: 'message-finish' });
const print = (id: string, delta: string): Frame => product('content-delta', { message_id: id, delta });
const think = (id: string, delta: string): Frame => product('reasoning-delta', { message_id: id, delta });
const restart = (fromSeq: number): Frame => product('step-restarted', { from_seq: fromSeq });
const end = (status = 'COMPLETED'): Frame => product('stream-ended', { status });
const tool = (status: string, more: object = {}): Frame =>
  product('tool-execution', { tool_call_id: 'c', name: 'look', source: 'mcp', arguments: { q: 1 }, status, ...more });
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0 };
const completed = (): Frame =>
  product('response-completed', { finish_reason: 'stop', token_usage: usage, execution_time: 1 });

beforeEach(() => {
  seq = 0;
});

function chunksOf(frames: readonly Frame[], projected = new UiChunks('t')): UIMessageChunk[] {
  return frames.flatMap((each) => projected.add(each));
}

/** The message that the AI SDK builds from the chunks. */
async function messageOf(frames: readonly Frame[]): Promise<SwitchyardMessage> {
  const chunks = chunksOf(frames);
  const stream = new ReadableStream<UIMessageChunk>({
    start(sink) {
      for (const chunk of chunks) sink.enqueue(chunk);
      sink.close();
    },
  });
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
  return last as SwitchyardMessage;
}

const textOf = (message: SwitchyardMessage, type: 'text' | 'reasoning' = 'text'): string =>
  shownParts(message)
    .map((part) => (part.type === type ? part.text : ''))
    .join('');

describe('the frames of a turn as chunks of a UI message', () => {
  it('are text, reasoning and steps, with the usage as metadata', () => {
    const frames = [
      started(),
      begin('m'),
      think('m', 'Hm'),
      print('m', 'One '),
      print('m', 'two'),
      finish(),
      completed(),
      end(),
    ];
    expect(chunksOf(frames)).toEqual([
      { type: 'start', messageId: 't', messageMetadata: { turnId: 't', sessionId: 's', agentId: 'a' } },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'reasoning-1', providerMetadata: { switchyard: { part: 'reasoning-1' } } },
      { type: 'reasoning-delta', id: 'reasoning-1', delta: 'Hm' },
      { type: 'reasoning-end', id: 'reasoning-1' },
      { type: 'text-start', id: 'text-1', providerMetadata: { switchyard: { part: 'text-1' } } },
      { type: 'text-delta', id: 'text-1', delta: 'One ' },
      { type: 'text-delta', id: 'text-1', delta: 'two' },
      { type: 'text-end', id: 'text-1' },
      { type: 'message-metadata', messageMetadata: { usage, finishReason: 'stop', executionTime: 1 } },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop', messageMetadata: { status: 'COMPLETED' } },
    ]);
  });

  it('show the tools of the platform as done elsewhere, and their outcomes', () => {
    const calls = (...outcome: Frame[]): UIMessageChunk[] => chunksOf([tool('started'), ...outcome]);
    const call = { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: { q: 1 } };
    expect(calls(tool('succeeded', { result: 7 }))).toEqual([
      { ...call, dynamic: true, providerExecuted: true },
      { type: 'tool-output-available', toolCallId: 'c', output: 7, providerExecuted: true },
    ]);
    expect(calls(tool('failed', { error: { code: 'X', message: 'broken' } })).at(-1)).toEqual({
      type: 'tool-output-error',
      toolCallId: 'c',
      errorText: 'broken',
      providerExecuted: true,
    });
  });

  it('give a local tool to the page when it is told to run it, and wait for it', () => {
    const projected = new UiChunks('t');
    const local = { source: 'local' };
    expect(chunksOf([tool('started', local)], projected)).toEqual([]);
    expect(projected.waitsForHost).toBe(false);
    const sent = product('local-tool-call', { call_id: 'c', name: 'look', arguments: { q: 1 }, expires_at: '' });
    expect(chunksOf([sent], projected)).toEqual([
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'look', input: { q: 1 } },
    ]);
    expect(projected.waitsForHost).toBe(true);
    expect(projected.waitingCalls).toEqual(['c']);
    chunksOf([tool('succeeded', { ...local, result: 1 })], projected);
    expect(projected.waitsForHost).toBe(false);
  });

  it('show a question as a part that learns its answer', () => {
    const interaction = { id: 'i', purpose: 'question', prompt: 'Which?', status: 'PENDING' };
    const ask = { name: 'ask_user', source: 'builtin' };
    const result = { selected: [{ id: 'b', label: 'B' }], otherText: 'mine' };
    const chunks = chunksOf([
      tool('started', ask),
      product('agent-input-required', { interaction }),
      end('WAITING_INPUT'),
      tool('succeeded', { ...ask, result }),
    ]);
    const answered = { ...interaction, status: 'ANSWERED', selectedOptionIds: ['b'], otherText: 'mine' };
    expect(chunks).toEqual([
      { type: 'data-question', id: 'i', data: interaction },
      { type: 'finish', finishReason: 'tool-calls', messageMetadata: { status: 'WAITING_INPUT' } },
      { type: 'data-question', id: 'i', data: answered },
    ]);
  });

  it('show an approval as that of the tool, approved or denied', () => {
    const calls = [{ call_id: 'c', name: 'look', source: 'mcp', arguments: { q: 1 }, digest: 'd' }];
    const request = product('agent-input-required', { interaction: { id: 'i', purpose: 'approval', calls } });
    const denied = tool('skipped', { error: { code: 'DENIED', message: 'no' } });
    expect(chunksOf([request, denied]).slice(1)).toEqual([
      { type: 'tool-approval-request', approvalId: 'i:c', toolCallId: 'c' },
      { type: 'tool-output-denied', toolCallId: 'c' },
    ]);
  });

  it.each([
    ['CANCELLED', 'other'],
    ['FAILED', 'error'],
  ])('end as the turn does: %s', (status, finishReason) => {
    expect(chunksOf([end(status)]).at(-1)).toEqual({ type: 'finish', finishReason, messageMetadata: { status } });
  });
});

describe('a step that is run again after a crash', () => {
  const crashed = (again: (id: string) => Frame[]): Frame[] => [
    started(),
    begin('m'),
    think('m', 'Hm, '),
    print('m', 'one '),
    print('m', 'two '),
    restart(2),
    ...again('n'),
    finish(),
    completed(),
    end(),
  ];

  it('shows no text twice where it says the same, and goes on in the same part', async () => {
    const frames = crashed((id) => [begin(id), think(id, 'Hm, '), print(id, 'one two'), print(id, ' three')]);
    const message = await messageOf(frames);
    expect(message.parts.map(({ type }) => type)).toEqual(['step-start', 'reasoning', 'text']);
    expect(textOf(message)).toBe('one two three');
    expect(textOf(message, 'reasoning')).toBe('Hm, ');
  });

  it.each([
    ['something else', 'one 2 three'],
    ['less', 'one'],
    ['nothing that was said', 'Other'],
  ])('marks what is void where it says %s', async (_, text) => {
    const message = await messageOf(crashed((id) => [begin(id), print(id, text)]));
    expect(textOf(message)).toBe(text);
    expect(textOf(message, 'reasoning')).toBe('');
  });

  it('may be run a third time', async () => {
    const frames = crashed((id) => [begin(id), print(id, 'one '), restart(2), begin('o'), print('o', 'one two three')]);
    expect(textOf(await messageOf(frames))).toBe('one two three');
    seq = 0;
    const later = crashed((id) => [
      begin(id),
      print(id, 'one two 3'),
      restart(2),
      begin('o'),
      print('o', 'one two 3 four'),
    ]);
    expect(textOf(await messageOf(later))).toBe('one two 3 four');
  });

  it('keeps what was said before it', async () => {
    const before = [
      started(),
      begin('l'),
      print('l', 'First. '),
      finish(),
      tool('started'),
      tool('succeeded', { result: 1 }),
    ];
    const after = [begin('m'), print('m', 'Then'), restart(7), begin('n'), print('n', 'Then this.'), finish(), end()];
    const message = await messageOf([...before, ...after]);
    expect(textOf(message)).toBe('First. Then this.');
    expect(message.parts.map(({ type }) => type)).toEqual(['step-start', 'text', 'dynamic-tool', 'step-start', 'text']);
  });

  it.each([['CANCELLED'], ['FAILED']])(
    'counts for nothing where the turn ends before it is said: %s',
    async (status) => {
      const frames = [started(), begin('m'), think('m', 'Hm'), print('m', 'one two'), restart(2), end(status)];
      const message = await messageOf(frames);
      expect([textOf(message), textOf(message, 'reasoning')]).toEqual(['', '']);
      seq = 0;
      const cut = [
        started(),
        begin('m'),
        print('m', 'one two'),
        restart(2),
        begin('n'),
        print('n', 'one'),
        end(status),
      ];
      expect(textOf(await messageOf(cut))).toBe('one');
    },
  );

  it('counts for nothing where its answer had to be repaired', async () => {
    const frames = [started(), begin('m'), print('m', '{"n":'), print('m', '"x"}'), finish(), restart(2)];
    const repaired = [begin('n'), print('n', '{"n":'), print('n', '7}'), finish(), completed(), end()];
    const message = await messageOf([...frames, ...repaired]);
    expect(textOf(message)).toBe('{"n":7}');
    expect(message.parts.filter(({ type }) => type === 'step-start')).toHaveLength(1);
  });

  it('leaves no void text in a replay at all', async () => {
    const frames = withoutVoid(crashed((id) => [begin(id), print(id, 'other')]));
    const message = await messageOf(frames);
    expect(message.parts.map(({ type }) => type)).toEqual(['step-start', 'text']);
    expect(textOf(message)).toBe('other');
    expect(message.metadata?.void).toBeUndefined();
  });
});
