import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { TestSpace, usePlatform } from '@switchyard/testing';
import { embed, Output, generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { z } from 'zod';
import { setBalance } from './support/money';

const platform = usePlatform();
let space: TestSpace;
let poor: TestSpace;
let key: string;
const base = (): string => `${platform.url}/models/v1`;

beforeAll(async () => {
  space = await platform.newSpace();
  poor = await platform.newSpace();
  await setBalance(poor, 0);
  key = (await space.key()).credential;
});

const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content });

describe('the openai client', () => {
  const client = (apiKey = key): OpenAI => new OpenAI({ baseURL: base(), apiKey, maxRetries: 2 });

  it('chats, and keeps the request id', async () => {
    const completion = await client().chat.completions.create({ model: 'sim-chat', messages: [user('@@reply Hi')] });
    expect(completion.choices[0]?.message.content).toBe('Hi');
    expect(completion._request_id).toBeTruthy();
  });

  it('streams, with usage when asked', async () => {
    const stream = await client().chat.completions.create({
      model: 'sim-chat',
      stream: true,
      stream_options: { include_usage: true },
      messages: [user('@@reply one two')],
    });
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    expect([text, total > 0]).toEqual(['one two', true]);
  });

  it('runs tools through a whole conversation', async () => {
    const runner = client().chat.completions.runTools({
      model: 'sim-chat',
      messages: [user('@@tool add {"a":2,"b":3}\n@@reply The sum is {{tool}}')],
      tools: [
        {
          type: 'function',
          function: {
            name: 'add',
            parse: (text: string) => JSON.parse(text) as { a: number; b: number },
            function: ({ a, b }: { a: number; b: number }) => String(a + b),
            parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
            description: 'adds',
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('The sum is 5');
  });

  it('gets structured output and embeddings', async () => {
    const completion = await client().chat.completions.create({
      model: 'sim-chat',
      messages: [user('who')],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'person',
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            required: ['name', 'age'],
          },
        },
      },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ name: 'You said: who', age: 1 });
    const { data } = await client().embeddings.create({ model: 'sim-embed', input: ['a', 'b'] });
    expect(data.map((item) => item.embedding.length)).toEqual([384, 384]);
    expect((await client().responses.create({ model: 'sim-chat', input: '@@reply hi' })).output_text).toBe('hi');
    expect((await client().models.list()).data.map((model) => model.id)).toContain('sim-chat');
  });

  it('streams responses, with texts and calls of tools', async () => {
    const stream = client().responses.stream({
      model: 'sim-chat',
      input: '@@reply Let me look\n@@tool look {"q": "x"}\n@@tool see {}',
      tools: ['look', 'see'].map((name) => ({ type: 'function', name, parameters: null, strict: false })),
    });
    const types = new Set<string>();
    let called = '';
    for await (const event of stream) {
      types.add(event.type);
      if (event.type === 'response.function_call_arguments.delta' && event.output_index === 1) called += event.delta;
    }
    const { model, output, output_text, usage } = await stream.finalResponse();
    expect([model, output_text, called, types.size]).toEqual(['sim-chat', 'Let me look', '{"q": "x"}', 11]);
    expect(output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', name: 'look', arguments: '{"q": "x"}' },
      { type: 'function_call', name: 'see', arguments: '{}' },
    ]);
    expect(usage?.output_tokens).toBe(8);
    const alone = client().responses.stream({ model: 'sim-chat', input: '@@tool look {}' });
    expect((await alone.finalResponse()).output).toMatchObject([{ type: 'function_call', name: 'look' }]);
  });

  it('gets as many choices as it asks for, and pays for each', async () => {
    const messages = [user('@@reply one two')];
    const whole = await client().chat.completions.create({ model: 'sim-chat', n: 3, messages });
    expect(whole.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'one two'],
      [1, 'one two'],
      [2, 'one two'],
    ]);
    expect(whole.usage?.completion_tokens).toBe(6);
    const streamed = await client()
      .chat.completions.stream({ model: 'sim-chat', n: 2, messages })
      .finalChatCompletion();
    expect(streamed.choices.map(({ message }) => message.content)).toEqual(['one two', 'one two']);
    const many = await client().completions.create({ model: 'sim-chat', prompt: ['@@reply a', '@@reply b'] });
    expect(many.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    await expect(client().chat.completions.create({ model: 'sim-chat', n: 9, messages })).rejects.toBeInstanceOf(
      BadRequestError,
    );
  });

  it('throws its own classes, and does not repeat what cannot get better', async () => {
    const create = (of: OpenAI, content: string, model = 'sim-chat'): Promise<unknown> =>
      of.chat.completions.create({ model, messages: [user(content)] });
    await expect(create(client('A'.repeat(40)), 'x')).rejects.toBeInstanceOf(AuthenticationError);
    await expect(create(client(), 'x', 'nope')).rejects.toBeInstanceOf(NotFoundError);
    await expect(create(client(), '@@error 400')).rejects.toBeInstanceOf(BadRequestError);
    await expect(
      new OpenAI({ baseURL: base(), apiKey: key, maxRetries: 0 }).chat.completions.create({
        model: 'sim-chat',
        messages: [user('@@error 429')],
      }),
    ).rejects.toBeInstanceOf(RateLimitError);
    let requests = 0;
    const counting = new OpenAI({
      baseURL: base(),
      apiKey: (await poor.key()).credential,
      fetch: (url, init) => ((requests += 1), fetch(url, init)),
    });
    await expect(create(counting, 'x')).rejects.toMatchObject({ status: 402, code: 'INSUFFICIENT_TOKENS' });
    expect(requests).toBe(1);
  });

  it('throws when a stream breaks off in the middle', async () => {
    const stream = await client().chat.completions.create({
      model: 'sim-chat',
      stream: true,
      messages: [user('@@cut 2\n@@tokens 9')],
    });
    const reading = (async () => {
      for await (const _ of stream);
    })();
    await expect(reading).rejects.toBeInstanceOf(APIError);
  });

  it('is let go when it breaks off a stream', async () => {
    const stream = await client().chat.completions.create({
      model: 'sim-chat',
      stream: true,
      messages: [user('@@delay 20\n@@tokens 500')],
    });
    for await (const _ of stream) break;
    stream.controller.abort();
  });
});

describe("the AI SDK's openai-compatible provider", () => {
  const provider = (apiKey = key): ReturnType<typeof createOpenAICompatible> =>
    createOpenAICompatible({ name: 'switchyard', baseURL: base(), apiKey, supportsStructuredOutputs: true });

  it('generates and streams text with usage', async () => {
    const { text, usage } = await generateText({ model: provider()('sim-chat'), prompt: '@@reply Hi' });
    expect([text, usage.outputTokens]).toEqual(['Hi', 1]);
    const stream = streamText({ model: provider()('sim-chat'), prompt: '@@reply one two' });
    let streamed = '';
    for await (const part of stream.textStream) streamed += part;
    expect(streamed).toBe('one two');
  });

  it('calls tools, makes objects and embeds', async () => {
    const add = tool({
      description: 'adds',
      inputSchema: jsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } } }),
      execute: ({ a }) => Promise.resolve(a + 1),
    });
    const { toolResults } = await generateText({
      model: provider()('sim-chat'),
      tools: { add },
      prompt: '@@tool add {"a":1}\n@@reply {{tool}}',
    });
    expect(toolResults[0]?.output).toBe(2);
    const { output } = await generateText({
      model: provider()('sim-chat'),
      output: Output.object({ schema: z.object({ name: z.string() }) }),
      prompt: 'who',
    });
    expect(output).toEqual({ name: 'You said: who' });
    expect((await embed({ model: provider().embeddingModel('sim-embed'), value: 'a' })).embedding).toHaveLength(384);
  });

  it('reads our messages', async () => {
    await expect(
      generateText({ model: provider((await poor.key()).credential)('sim-chat'), prompt: 'x', maxRetries: 0 }),
    ).rejects.toThrow(/token balance is used up/);
  });
});

describe("LangChain's ChatOpenAI", () => {
  const model = (extra: object = {}): ChatOpenAI =>
    new ChatOpenAI({ model: 'sim-chat', apiKey: key, configuration: { baseURL: base() }, maxRetries: 0, ...extra });

  it('invokes and streams', async () => {
    expect((await model().invoke('@@reply Hi')).content).toBe('Hi');
    let text = '';
    let tokens = 0;
    for await (const chunk of await model().stream('@@reply one two')) {
      text += chunk.text;
      tokens = chunk.usage_metadata?.output_tokens ?? tokens;
    }
    expect([text, tokens]).toEqual(['one two', 2]);
  });

  it('binds tools, gives structured output and embeds', async () => {
    const bound = model().bindTools([
      {
        type: 'function',
        function: {
          name: 'look',
          description: 'looks',
          parameters: { type: 'object', properties: { q: { type: 'string' } } },
        },
      },
    ]);
    expect((await bound.invoke('@@tool look {"q":"x"}')).tool_calls?.[0]).toMatchObject({
      name: 'look',
      args: { q: 'x' },
    });
    const structured = model().withStructuredOutput(
      { type: 'object', title: 'person', properties: { name: { type: 'string' } }, required: ['name'] },
      { method: 'jsonSchema' },
    );
    expect(await structured.invoke('who')).toEqual({ name: 'You said: who' });
    const vectors = await new OpenAIEmbeddings({
      model: 'sim-embed',
      apiKey: key,
      configuration: { baseURL: base() },
    }).embedDocuments(['a', 'b']);
    expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
  });

  it('throws the errors of the client below it', async () => {
    await expect(model({ apiKey: 'A'.repeat(40) }).invoke('x')).rejects.toMatchObject({ status: 401 });
  });
});
