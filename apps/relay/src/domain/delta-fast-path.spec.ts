import fc from 'fast-check';
import type { CompletionFrame } from '@switchyard/contracts';
import { CompletionEvents } from './completion-events';
import { CompletionReader } from './completion-reader';
import { PlainEvents, plainPiece } from './delta-fast-path';
import { SseSplitter } from './sse-splitter';
import { StreamMeter } from './stream-meter';

/** An event of an upstream, as it is written, with the name that callers know the model by. */
interface TestEvent {
  text: string;
  write: (model: string) => string;
}

const line = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const delta = (content: string, more: object = {}): TestEvent => ({
  text: content,
  write: (model) => line({ id: 'x', model, choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more }),
});

const word = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\u0000'));
const oddWord = fc.constantFrom(
  '"',
  '\\',
  '\n\n',
  '\\"',
  '"model":"x"',
  ' "usage":',
  'data: [DONE]',
  '\r\n',
  'é',
  '日本',
);

const testEvent: fc.Arbitrary<TestEvent> = fc.oneof(
  { weight: 6, arbitrary: word.map((text) => delta(text)) },
  { weight: 3, arbitrary: oddWord.map((text) => delta(text)) },
  // The same around another text, with a name of the model behind it, and with a usage that says nothing.
  word.map((text) => delta(text, { usage: null })),
  word.map((text) => ({
    text,
    write: (model: string) => line({ choices: [{ index: 0, delta: { content: text } }], model }),
  })),
  fc.constant({ text: '', write: () => ': ping\n\n' }),
  word.map((text) => ({
    text,
    write: (model: string) => line({ id: 'x', model, choices: [{ index: 0, delta: { content: text } }] }),
  })),
);

const usage = line({ model: 'up-1', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
const finish = (model: string): string => line({ model, choices: [{ delta: {}, finish_reason: 'stop' }] });

const streams = fc.record({
  events: fc.array(testEvent, { minLength: 1, maxLength: 40 }),
  sizes: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 30 }),
});

/** Whole events, in pieces of any size. */
function* pieces(stream: string, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(stream);
  const splitter = new SseSplitter();
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const whole = splitter.push(bytes.subarray(at, at + size));
    if (whole.length > 0) yield whole;
    at += size;
  }
}

describe('events that differ in their text alone', () => {
  it.each(['up-1', 'ours'])('pass as any other event does, to who knows the model as %s', (modelId) => {
    fc.assert(
      fc.property(streams, ({ events, sizes }) => {
        const stream = `${events.map(({ write }) => write('up-1')).join('')}${finish('up-1')}${usage}data: [DONE]\n\n`;
        const tap = new StreamMeter({ modelId, showUsage: false, answers: 1 });
        const passed = [...pieces(stream, sizes)].map((piece) => tap.pass(piece));
        const expected = `${events.map(({ write }) => write(modelId)).join('')}${finish(modelId)}`;
        expect(Buffer.concat(passed).toString()).toBe(expected);
        expect(tap.text()).toBe(events.map(({ text }) => text).join(''));
        expect(tap.usage).toEqual({ promptTokens: 3, completionTokens: 2, estimated: false });
        expect([tap.isFinished, tap.done.toString()]).toEqual([true, 'data: [DONE]\n\n']);
      }),
    );
  });

  it('become the frames that each of them would become', () => {
    fc.assert(
      fc.property(streams, ({ events, sizes }) => {
        const reader = new CompletionReader();
        const read = new CompletionEvents(reader);
        const frames: CompletionFrame[] = [];
        const stream = `${events.map(({ write }) => write('up-1')).join('')}${finish('up-1')}${usage}`;
        for (const piece of pieces(stream, sizes)) frames.push(...read.framesOf(piece).frames);
        const texts = events.map(({ text }) => text).filter((text) => text !== '');
        expect(frames).toEqual(texts.map((text) => ({ kind: 'delta', text })));
        expect([reader.finishReason, reader.written]).toEqual(['stop', texts]);
      }),
    );
  });

  it('say and count the same where they are joined', () => {
    fc.assert(
      fc.property(streams, ({ events, sizes }) => {
        const reader = new CompletionReader();
        const read = new CompletionEvents(reader);
        const stream = `${events.map(({ write }) => write('up-1')).join('')}${finish('up-1')}${usage}`;
        const frames = [...pieces(stream, sizes)].flatMap((piece) => read.framesOf(piece, true).frames);
        const texts = events.map(({ text }) => text).filter((text) => text !== '');
        expect(frames.map(({ text }) => text).join('')).toBe(texts.join(''));
        expect([reader.finishReason, reader.written]).toEqual(['stop', texts]);
      }),
    );
  });

  it.each([
    ['of plain ASCII', ['one', 'two', 'three']],
    ['of any script, quotes and line breaks', ['日', '本', '"', 'é\n', 'three']],
  ])('are one frame where they are joined, %s', (_, texts) => {
    const stream = Buffer.from(texts.map((text) => delta(text).write('up-1')).join(''));
    const frames = (areJoined: boolean): CompletionFrame[] =>
      new CompletionEvents(new CompletionReader()).framesOf(stream, areJoined).frames;
    expect(frames(true)).toEqual([{ kind: 'delta', text: texts.join('') }]);
    expect(frames(false)).toHaveLength(texts.length);
  });

  it('are not joined with what the model only thinks', () => {
    const thought = line({ choices: [{ delta: { reasoning_content: 'hm' } }] });
    const stream = Buffer.from([thought, thought, delta('a').write('up-1'), thought].join(''));
    expect(new CompletionEvents(new CompletionReader()).framesOf(stream, true).frames).toEqual([
      { kind: 'reasoning', text: 'hmhm' },
      { kind: 'delta', text: 'a' },
      { kind: 'reasoning', text: 'hm' },
    ]);
  });

  it('are found at once, and passed in the bytes in which they came', () => {
    const piece = Buffer.from(['a', 'b', 'c'].map((text) => delta(text).write('ours')).join(''));
    expect(new StreamMeter({ modelId: 'ours', showUsage: false, answers: 1 }).pass(piece)).toBe(piece);
  });

  it('are not those that say how the answer ended, or what it used', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: true, answers: 2 });
    const counted = Buffer.from(delta('a', { usage: { prompt_tokens: 1, completion_tokens: 1 } }).write('up-1'));
    for (const event of [counted, Buffer.from(usage), counted]) tap.pass(event);
    expect(tap.usage).toMatchObject({ completionTokens: 1 });
    const ended = Buffer.from(line({ model: 'up-1', choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }));
    tap.pass(ended);
    expect(tap.isFinished).toBe(false);
    tap.pass(ended);
    expect(tap.isFinished).toBe(true);
  });

  it('end where an event ends that breaks off within its text', () => {
    const plain = new PlainEvents();
    const event = delta('one').write('up-1');
    plain.learn(event, plainPiece(event) ?? { from: 0, to: 0 });
    const broken = event.replace('one', 'tw\n\ndata: o');
    expect(plain.find(event + broken, 0)).toBe('one');
    expect(plain.find(event + broken, plain.end)).toBeNull();
  });
});
