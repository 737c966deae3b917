import fc from 'fast-check';
import { SseSplitter, dataOf, eventsIn, isDone } from './sse-splitter';
import { StreamMeter, renameModel } from './stream-meter';
import { plausibleUsage } from './upstream-usage';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const chunk = (value: object): Buffer => bytes(`data: ${JSON.stringify(value)}\n\n`);
const nothing = Buffer.alloc(0);
const delta = (content: string, model = 'up-1'): object => ({
  id: 'x',
  model,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

describe('the splitter', () => {
  it('gives whole events for any chunks, byte for byte', () => {
    const stream = bytes(
      'data: {"a":"é"}\n\n: ping\n\ndata: 日本\r\n\r\nevent: x\ndata: 1\ndata: 2\n\ndata: [DONE]\n\n',
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 60, maxLength: 120 }), (sizes) => {
        const splitter = new SseSplitter();
        const events: string[] = [];
        let at = 0;
        for (const size of [...sizes, stream.length]) {
          events.push(...eventsIn(splitter.push(stream.subarray(at, at + size)).toString('latin1')));
          at += size;
        }
        expect(events).toHaveLength(5);
        expect(Buffer.from(events.join(''), 'latin1').equals(stream)).toBe(true);
        expect(splitter.pending).toBe(0);
        expect(events.map(dataOf)).toEqual(['{"a":"é"}', null, '日本', '1\n2', '[DONE]']);
      }),
    );
  });

  it('keeps half an event back', () => {
    const splitter = new SseSplitter();
    expect(splitter.push(bytes('data: 1\n\ndata: 2\n'))).toEqual(bytes('data: 1\n\n'));
    expect(splitter.pending).toBe(8);
  });

  it('gives up on an event without an end', () => {
    expect(() => new SseSplitter(10).push(bytes('data: 12345678'))).toThrow('larger');
  });
});

describe('the tap', () => {
  const usage = {
    id: 'x',
    model: 'up-1',
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };

  it('puts the catalogue name in the place of the upstream one and touches nothing else', () => {
    const tap = new StreamMeter({ modelId: 'ours', showUsage: false, answers: 1 });
    const text = 'the "model":"x" of é';
    expect(tap.pass(chunk(delta(text)))).toEqual(chunk(delta(text, 'ours')));
    expect(tap.text()).toBe(text);
  });

  it('withholds the usage chunk from who did not ask, and reads it', () => {
    const hidden = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    expect(hidden.pass(chunk(usage))).toEqual(nothing);
    expect(hidden.usage).toEqual({ promptTokens: 3, completionTokens: 2, estimated: false });
    const shown = new StreamMeter({ modelId: 'up-1', showUsage: true, answers: 1 });
    expect(shown.pass(chunk(usage))).toEqual(chunk(usage));
  });

  it('passes a chunk that carries usage and text', () => {
    const both = { ...delta('x'), usage: usage.usage };
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    expect(tap.pass(chunk(both))).toEqual(chunk(both));
    expect(plausibleUsage(tap.usage)?.completionTokens).toBe(2);
  });

  it('hears text, tool arguments and thoughts', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    tap.pass(chunk({ choices: [{ delta: { reasoning_content: 'Hm. ', content: 'Hi' } }] }));
    tap.pass(chunk({ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"a":"\\n"}' } }] } }] }));
    expect(tap.text()).toBe('Hm. Hi{"a":"\\n"}');
  });

  it('knows when the answer was finished', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    tap.pass(chunk(delta('x')));
    expect(tap.isFinished).toBe(false);
    tap.pass(chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] }));
    expect(tap.isFinished).toBe(true);
    expect(isDone('data: [DONE]\n\n')).toBe(true);
  });

  it('waits for the end of every answer', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 2 });
    tap.pass(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    expect(tap.isFinished).toBe(false);
    tap.pass(chunk({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }));
    expect(tap.isFinished).toBe(true);
  });

  it('hears the Responses API once, however often it repeats itself', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    const part = { type: 'output_text', text: 'a b' };
    const item = { type: 'function_call', arguments: '{"c":1}' };
    for (const event of [
      { type: 'response.created', response: { instructions: null, output: [] } },
      { type: 'response.content_part.added', part: { type: 'output_text', text: '' } },
      { type: 'response.output_text.delta', delta: 'a' },
      { type: 'response.output_text.delta', delta: ' b' },
      { type: 'response.output_text.done', text: 'a b' },
      { type: 'response.content_part.done', part },
      { type: 'response.output_item.done', item: { type: 'message', content: [part] } },
      { type: 'response.function_call_arguments.delta', delta: '{"c":1}' },
      { type: 'response.function_call_arguments.done', arguments: '{"c":1}' },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { output: [{ type: 'message', content: [part] }, item] } },
    ])
      tap.pass(bytes(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    expect(tap.text()).toBe('a b{"c":1}');
    expect(tap.isFinished).toBe(true);
  });

  it('reads usage of the Responses API', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    tap.pass(
      bytes(
        `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: { model: 'up-1', usage: { input_tokens: 7, output_tokens: 8 } } })}\n\n`,
      ),
    );
    expect(tap.usage).toEqual({ promptTokens: 7, completionTokens: 8, estimated: false });
  });

  it('does not go by earlier numbers when the last ones cannot be believed', () => {
    const tap = new StreamMeter({ modelId: 'up-1', showUsage: false, answers: 1 });
    tap.pass(chunk({ ...delta('one'), usage: { prompt_tokens: 3, completion_tokens: 1 } }));
    expect(tap.pass(chunk({ ...usage, usage: { prompt_tokens: 3, completion_tokens: 1e12 } }))).toEqual(nothing);
    expect(tap.usage).toEqual({ implausible: '{"prompt_tokens":3,"completion_tokens":1000000000000}' });
    expect(tap.seenTokens).toBe(1);
  });

  it('renames in whole answers of any length', () => {
    expect(renameModel(bytes('{"id":"é","model" : "up-1-2025","x":1.0}'), 'ours').toString()).toBe(
      '{"id":"é","model" : "ours","x":1.0}',
    );
    const same = bytes('{"model":"ours"}');
    expect(renameModel(same, 'ours')).toBe(same);
    expect(renameModel(bytes('{"models":1}'), 'ours').toString()).toBe('{"models":1}');
  });

  it.each([
    [
      '{"choices":[{"message":{"content":"model"}}],"model":"up"}',
      '{"choices":[{"message":{"content":"model"}}],"model":"ours"}',
    ],
    ['{"metadata":{"model":"x"},"model":"up"}', '{"metadata":{"model":"x"},"model":"ours"}'],
    ['{"a":"{","model":"up"}', '{"a":"{","model":"ours"}'],
    ['{"a":"model","model":"up"}', '{"a":"model","model":"ours"}'],
    ['{"a":"\\"model\\":\\"x\\"","model":"up"}', '{"a":"\\"model\\":\\"x\\"","model":"ours"}'],
    ['{"object":{"model":"x"}}', '{"object":{"model":"x"}}'],
    [
      '{"object":"list","data":[{"embedding":[1]}],"model":"up","usage":{"total_tokens":1}}\n',
      '{"object":"list","data":[{"embedding":[1]}],"model":"ours","usage":{"total_tokens":1}}\n',
    ],
    ['{"a":[],"b":{"model":"x"},"model":"up"}', '{"a":[],"b":{"model":"x"},"model":"ours"}'],
    ['{"a":[],"b":{"model":"x","usage":{}}}', '{"a":[],"b":{"model":"x","usage":{}}}'],
    ['{"model":null,"b":{"model":"x"}}', '{"model":null,"b":{"model":"x"}}'],
    [`{"a":"${'é'.repeat(2000)}","model":"up"}`, `{"a":"${'é'.repeat(2000)}","model":"ours"}`],
    ['[{"model":"x"}]', '[{"model":"x"}]'],
  ])('renames the model of the answer itself: %s', (answer, shown) => {
    expect(renameModel(bytes(answer), 'ours').toString()).toBe(shown);
  });
});
