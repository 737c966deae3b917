import { costOf, usageOf } from './pricing';
import { guessTokens, measure, mostTokens, textsOf } from './prompt-estimate';
import { plausibleUsage, findUsage } from './upstream-usage';
import { CompletionReader } from './completion-reader';
import { completionBody } from './completion-request-body';
import { readVectors } from './embedding-response';

const model = { inputPrice: 0.15, outputPrice: 0.6 };

describe('prices', () => {
  it('are per million tokens, without binary noise', () => {
    expect(costOf(model, { promptTokens: 3, completionTokens: 7, estimated: false })).toBe(0.00000465);
    expect(costOf(model, { promptTokens: 2_000_000, completionTokens: 1_000_000, estimated: false })).toBe(0.9);
    expect(usageOf({ ...model } as never, { promptTokens: 1, completionTokens: 2, estimated: true })).toMatchObject({
      totalTokens: 3,
      estimated: true,
    });
  });
});

describe('usage of upstreams', () => {
  it.each([
    [{ usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, { promptTokens: 1, completionTokens: 2 }],
    [{ usage: { input_tokens: 1, output_tokens: 2 } }, { promptTokens: 1, completionTokens: 2 }],
    [{ usage: { prompt_tokens: 4, total_tokens: 4 } }, { promptTokens: 4, completionTokens: 0 }],
    [{ usage: { total_tokens: 9 } }, { promptTokens: 9, completionTokens: 0 }],
    [{ usage: { prompt_tokens: 4, total_tokens: 9 } }, { promptTokens: 4, completionTokens: 5 }],
    [{ usage: { completion_tokens: 4, total_tokens: 9 } }, { promptTokens: 5, completionTokens: 4 }],
    [{ usage: { prompt_tokens: 1_000_000_000, completion_tokens: 0 } }, { promptTokens: 1_000_000_000 }],
    [{ response: { usage: { input_tokens: 5, output_tokens: 6 } } }, { promptTokens: 5, completionTokens: 6 }],
  ])('%j is read', (answer, expected) => {
    expect(findUsage(answer)).toMatchObject(expected);
  });

  it.each([null, {}, { usage: null }, { usage: {} }, { usage: { prompt_tokens: null } }, { usage: { seconds: 3 } }])(
    '%j says nothing of tokens',
    (answer) => {
      expect(findUsage(answer)).toBeNull();
    },
  );

  it.each([
    { prompt_tokens: -1 },
    { prompt_tokens: 'many', completion_tokens: 5 },
    { prompt_tokens: 1e300 },
    { prompt_tokens: 1.5, completion_tokens: 5 },
    { prompt_tokens: 1_000_000_001, completion_tokens: 5 },
    { prompt_tokens: 5, completion_tokens: 1_000_000_001 },
    { input_tokens: 5, output_tokens: Number.MAX_SAFE_INTEGER },
    { total_tokens: 1_000_000_001 },
    { completion_tokens: 5 },
    { completion_tokens: 5, total_tokens: 4 },
  ])('%j cannot be believed, no half of it', (usage) => {
    const found = findUsage({ usage });
    expect(found).toEqual({ implausible: JSON.stringify(usage) });
    expect(plausibleUsage(found)).toBeNull();
  });
});

describe('prompt estimates', () => {
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(400) },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } },
      ],
    },
  ];

  it('count pictures flat, not by their bytes', () => {
    expect(guessTokens(measure(messages))).toBeGreaterThan(1100);
    expect(guessTokens(measure(messages))).toBeLessThan(1200);
    expect(textsOf(messages).join('')).not.toContain('AAAA');
  });

  it.each([
    ['a text that begins like an address of data', [{ role: 'user', content: `data: ${'x'.repeat(8000)}` }]],
    ['such a text as a part', [{ role: 'user', content: [{ type: 'text', text: `data:${'x'.repeat(8000)}` }] }]],
    ['an input of embeddings', [`data:${'x'.repeat(8000)}`]],
    ['a message with a field of that name', [{ role: 'user', content: 'x'.repeat(8000), file: null }]],
    ['a message that says it is a file', [{ role: 'user', type: 'file', file: 'x', content: 'x'.repeat(8000) }]],
    [
      'a part without what it names',
      [{ role: 'user', content: [{ type: 'file', file: null, text: 'x'.repeat(8000) }] }],
    ],
    ['a part that says more', [{ role: 'user', content: [{ type: 'file', file: {}, text: 'x'.repeat(8000) }] }]],
    ['a tool', [[], [{ type: 'function', role: 'x', content: [{ type: 'file', file: 'x'.repeat(8000) }] }]]],
  ])('count %s by its length', (_, prompt) => {
    const flat = JSON.stringify(prompt).includes('"file":{}') ? 1000 : 0;
    expect(guessTokens(measure(prompt)) - flat).toBeGreaterThanOrEqual(2000);
    expect(guessTokens(measure(prompt)) - flat).toBeLessThan(2100);
    expect(textsOf(prompt).join('').length).toBeGreaterThanOrEqual(8000);
  });

  it('count the schema of a tool whose argument is called as an attachment is', () => {
    const schema = (name: string): unknown => [[], [{ function: { parameters: { properties: { [name]: {} } } } }]];
    expect(measure(schema('file'))).toEqual(measure(schema('path')));
  });

  it.each([
    { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_file', file_data: 'AAAA', filename: 'a.pdf' }] },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'file-1' }] },
    { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' } },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
  ])('count %j as one attachment', (message) => {
    expect(measure([message]).attachments).toBe(1);
    expect(textsOf([message]).join('')).not.toContain('AAAA');
  });

  it.each([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(8000)}` } },
    { type: 'image_url', image_url: `data:image/png;base64,${'A'.repeat(8000)}` },
    { type: 'image', image: 'A'.repeat(8000) },
  ])('count a picture among the inputs of embeddings as one attachment (%#)', (picture) => {
    for (const prompt of [[picture], [[], ['a text', picture]]]) {
      expect(measure(prompt).attachments).toBe(1);
      expect(guessTokens(measure(prompt))).toBeLessThan(1100);
      expect(textsOf(prompt).join('')).not.toContain('AAAA');
    }
  });

  it.each([
    ['a text that is an address of data', 'data:image/png;base64,AAAA'],
    ['a message that says it is a picture', { role: 'user', type: 'image', image: 'AAAA' }],
    ['a picture deeper in', { arguments: { type: 'image', image: 'AAAA' } }],
  ])('count %s as text', (_, input) => {
    expect(measure([input]).attachments).toBe(0);
    expect(textsOf([input]).join('')).toContain('AAAA');
  });

  it('are never above the most that a tokenizer could make', () => {
    expect(mostTokens(measure(messages))).toBeGreaterThan(guessTokens(measure(messages)));
  });

  it('count texts that come as tokens', () => {
    expect([guessTokens, mostTokens].map((count) => count(measure([[1, 2, 3], [4]])))).toEqual([4, 4]);
  });

  it('survive deep nesting', () => {
    let value: unknown = 'x';
    for (let i = 0; i < 100_000; i += 1) value = [value];
    expect(measure(value).characters).toBe(0);
  });
});

describe('completions for services', () => {
  it('speak the wire format', () => {
    const body = JSON.parse(
      completionBody(
        {
          model: 'm',
          messages: [
            { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
            { role: 'tool', content: '1', toolCallId: 'c' },
          ],
          tools: [{ name: 'f' }],
          settings: { maxTokens: 5, topP: 0.5 },
          attribution: { source: 'chat' },
        },
        { model: 'u', streamUsage: true },
      ),
    ) as Record<string, unknown>;
    expect(body).toMatchObject({
      model: 'u',
      max_tokens: 5,
      top_p: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(body['messages']).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', content: '1', tool_call_id: 'c' },
    ]);
    expect(body).not.toHaveProperty('temperature');
  });

  it('join tool calls that come in pieces, in parallel', () => {
    const reader = new CompletionReader();
    const piece = (index: number, rest: object): void =>
      void reader.read({ choices: [{ delta: { tool_calls: [{ index, ...rest }] } }] });
    piece(0, { id: 'a', function: { name: 'f', arguments: '' } });
    piece(1, { id: 'b', function: { name: 'g', arguments: '{"x"' } });
    piece(0, { function: { arguments: '{"y":1}' } });
    piece(1, { function: { arguments: ':2}' } });
    expect(reader.toolCalls()).toEqual([
      { kind: 'tool-call', index: 0, toolCall: { id: 'a', name: 'f', arguments: '{"y":1}' } },
      { kind: 'tool-call', index: 1, toolCall: { id: 'b', name: 'g', arguments: '{"x":2}' } },
    ]);
  });

  it('tell thoughts from words, by either name that upstreams have for them', () => {
    const reader = new CompletionReader();
    const read = (delta: object) => reader.read({ choices: [{ delta }] });
    expect(read({ reasoning_content: 'Hm' })).toEqual([{ kind: 'reasoning', text: 'Hm' }]);
    expect(read({ reasoning: ' so', content: 'Hi' })).toEqual([
      { kind: 'reasoning', text: ' so' },
      { kind: 'delta', text: 'Hi' },
    ]);
    // Some send the same under both names.
    expect(read({ reasoning: '!', reasoning_content: '!', content: '' })).toEqual([{ kind: 'reasoning', text: '!' }]);
    expect(read({ reasoning: { effort: 'high' } })).toEqual([]);
    expect(reader.allWritten()).toEqual(['Hm', ' so', 'Hi', '!']);
  });

  it('clean what a model wrote', () => {
    const reader = new CompletionReader();
    expect(reader.read({ choices: [{ delta: { content: 'a\u0000b\ud800' } }] })).toEqual([
      { kind: 'delta', text: 'a\ufffdb\ufffd' },
    ]);
  });

  it('read a whole answer too', () => {
    const reader = new CompletionReader();
    expect(
      reader.read({
        choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      }),
    ).toEqual([{ kind: 'delta', text: 'hi' }]);
    expect(reader).toMatchObject({ finishReason: 'stop', usage: { promptTokens: 1 } });
  });
});

describe('vectors', () => {
  const base64 = Buffer.from(Float32Array.from([1, 2]).buffer).toString('base64');

  it('come as numbers or base64, in the order of their index', () => {
    const answer = {
      data: [
        { index: 1, embedding: [1, 2] },
        { index: 0, embedding: base64 },
      ],
    };
    expect(readVectors(answer, 2)).toEqual({ dimensions: 2, base64: [base64, base64] });
  });

  it.each([
    { data: [] },
    { data: [{ embedding: [] }] },
    { data: [{ embedding: ['x'] }] },
    { data: [{ index: 3, embedding: [1] }] },
    null,
  ])('%j is no answer', (answer) => {
    expect(readVectors(answer, 1)).toBeNull();
  });
});
