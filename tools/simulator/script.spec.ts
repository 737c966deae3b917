import { MAX_OUTPUT_TOKENS, answerTo, ScriptedError, splitWords } from './answer';
import { parseScript } from './script';

const user = (content: string): { role: string; content: string } => ({ role: 'user', content });
const textOf = (answer: ReturnType<typeof answerTo>): string => answer.tokens.map((token) => token.text).join('');

describe('scripts', () => {
  it('has no calls in a text without directives', () => {
    expect(parseScript('hello @@reply is not at the start of a line')).toEqual([]);
  });

  it('ends a call with each run of tools', () => {
    const calls = parseScript('@@reply A\n@@tool x {"a":1}\n@@tool y\nprose\n@@reply B\n@@tool z {}\n@@reply C');
    expect(calls.map((call) => call.map((directive) => directive.kind))).toEqual([
      ['reply', 'tool', 'tool'],
      ['reply', 'tool'],
      ['reply'],
    ]);
    expect(calls[0]?.[2]).toEqual({ kind: 'tool', name: 'y', arguments: '{}' });
  });

  it('says other words each time where it is told to', () => {
    const print = (): string => textOf(answerTo({ messages: [user('@@vary 5')] }));
    expect(splitWords(print())).toHaveLength(5);
    expect(print()).not.toBe(print());
  });

  it('keeps the spaces of a reply and the arguments of a tool as they are', () => {
    expect(parseScript('@@reply   two  spaces ')[0]?.[0]).toEqual({ kind: 'reply', text: '  two  spaces ' });
    expect(parseScript('@@tool f {"q": "a  b"}')[0]?.[0]).toEqual({
      kind: 'tool',
      name: 'f',
      arguments: '{"q": "a  b"}',
    });
  });
});

describe('answers', () => {
  it('repeats a text without directives', () => {
    expect(textOf(answerTo({ messages: [user('Hello you')] }))).toBe('You said: Hello you');
  });

  it('goes on in the script after each answered call of the turn', () => {
    const turn = [user('@@tool look {"a":1}\n@@reply it was {{tool}}')];
    expect(answerTo({ messages: turn })).toMatchObject({
      toolCalls: [{ name: 'look', arguments: '{"a":1}' }],
      finishReason: 'tool_calls',
    });
    const answered = [...turn, { role: 'assistant', content: null }, { role: 'tool', content: '$& 42' }];
    expect(textOf(answerTo({ messages: answered }))).toBe('it was $& 42');
    expect(textOf(answerTo({ messages: [...answered, { role: 'assistant', content: 'it was' }] }))).toBe('Done.');
  });

  it('reads directives only from the newest user message', () => {
    expect(
      textOf(answerTo({ messages: [user('@@reply old'), { role: 'assistant', content: 'old' }, user('new')] })),
    ).toBe('You said: new');
  });

  it('reads the text of multimodal messages', () => {
    const parts = [
      { type: 'image_url', image_url: { url: 'data:,' } },
      { type: 'text', text: '@@reply seen' },
    ];
    expect(textOf(answerTo({ messages: [{ role: 'user', content: parts }] }))).toBe('seen');
  });

  it('is one word a token', () => {
    expect(splitWords('one  two\nthree ')).toEqual(['one', '  two', '\nthree', ' ']);
    expect(answerTo({ messages: [user('@@tokens 5')] }).usage.completionTokens).toBe(5);
  });

  it('waits before the tokens that follow a delay, and not before those above it', () => {
    const answer = answerTo({ messages: [user('@@reply a b\n@@delay 7\n@@reply c d')] });
    expect(answer.tokens).toEqual([
      { text: 'a', delayMs: 0 },
      { text: ' b', delayMs: 0 },
      { text: '\nc', delayMs: 7 },
      { text: ' d', delayMs: 7 },
    ]);
  });

  it('stops at max_tokens with the reason length, and drops the tools behind it', () => {
    expect(answerTo({ messages: [user('@@tokens 9\n@@tool x {}')], maxTokens: 4 })).toMatchObject({
      finishReason: 'length',
      toolCalls: [],
      usage: { completionTokens: 4 },
    });
  });

  it.each(['@@tokens 20000', `word ${'word '.repeat(20_000)}`])(
    'is never longer than the model can answer: %#',
    (text) => {
      for (const maxTokens of [undefined, 100_000]) {
        const answer = answerTo({ messages: [user(text)], maxTokens });
        expect(answer).toMatchObject({ finishReason: 'length', usage: { completionTokens: MAX_OUTPUT_TOKENS } });
        expect(answer.tokens).toHaveLength(MAX_OUTPUT_TOKENS);
      }
      expect(answerTo({ messages: [user(`@@tokens ${MAX_OUTPUT_TOKENS}`)] }).finishReason).toBe('stop');
    },
  );

  it('leaves out the tool calls that do not fit', () => {
    const answer = answerTo({ messages: [user('@@reply a b\n@@tool x {"c": 1}\n@@tool y {"d": 2}')], maxTokens: 6 });
    expect(answer).toMatchObject({
      finishReason: 'length',
      toolCalls: [{ name: 'x' }],
      usage: { completionTokens: 5 },
    });
  });

  it('counts an answer as often as it is given', () => {
    expect(answerTo({ messages: [user('@@reply a b')], choices: 3 }).usage).toEqual({
      promptTokens: 3,
      completionTokens: 6,
      reasoningTokens: 0,
    });
  });

  it('stops before a stop text', () => {
    expect(textOf(answerTo({ messages: [user('@@reply one two END three')], stop: ['END'] }))).toBe('one two ');
  });

  it('fails with the status that the script names', () => {
    expect(() => answerTo({ messages: [user('@@error 429 slow down')] })).toThrow(new ScriptedError(429, 'slow down'));
  });

  it('thinks before it speaks, within the same limit', () => {
    const script = '@@reasoning a b c\n@@reply d e';
    const answer = answerTo({ messages: [user(script)] });
    expect(answer).toMatchObject({ reasoningField: 'reasoning', usage: { completionTokens: 5, reasoningTokens: 3 } });
    const texts = (tokens: { text: string }[]): string => tokens.map(({ text }) => text).join('');
    expect([texts(answer.thinking), texts(answer.tokens)]).toEqual(['a b c', 'd e']);
    const short = answerTo({ messages: [user(script)], maxTokens: 4 });
    expect([texts(short.thinking), texts(short.tokens), short.finishReason]).toEqual(['a b c', 'd', 'length']);
    expect(answerTo({ messages: [user(script)], maxTokens: 2 })).toMatchObject({ tokens: [], finishReason: 'length' });
  });

  it('counts thoughts that come back as a part of the prompt', () => {
    const past = { role: 'assistant', content: 'a', reasoning_content: 'b c' };
    expect(answerTo({ messages: [past, user('@@reply x')] }).usage.promptTokens).toBe(5);
  });

  it('reports the usage that the script names, and otherwise counts the whole prompt', () => {
    expect(answerTo({ messages: [user('@@usage 11 22\n@@reply x')] }).usage).toEqual({
      promptTokens: 11,
      completionTokens: 22,
      reasoningTokens: 0,
    });
    expect(answerTo({ messages: [{ role: 'system', content: 'be kind now' }, user('a b')] }).usage.promptTokens).toBe(
      5,
    );
  });

  it('gives JSON where a response format asks for it and the script says nothing', () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, ages: { type: 'array', items: { type: 'integer', minimum: 3 } } },
    };
    const answer = answerTo({
      messages: [user('hi')],
      responseFormat: { type: 'json_schema', json_schema: { schema } },
    });
    expect(JSON.parse(textOf(answer))).toEqual({ name: 'You said: hi', ages: [3] });
    expect(JSON.parse(textOf(answerTo({ messages: [user('hi')], responseFormat: { type: 'json_object' } })))).toEqual({
      answer: 'You said: hi',
    });
    expect(textOf(answerTo({ messages: [user('@@json {"a":1}')], responseFormat: { type: 'json_object' } }))).toBe(
      '{"a":1}',
    );
  });
});
