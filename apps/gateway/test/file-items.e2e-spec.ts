import { type Client, type Reply, type TestSpace, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PDF = base64(`%PDF-1.4\n${'0 0 obj\n'.repeat(6_000)}`);
const CSV = base64('id,amount\n7,12\n');
const STREAM = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

interface FileInput {
  name: string;
  mediaType: string;
  data: string;
}

const uriOf = ({ mediaType, data }: FileInput): string => `data:${mediaType};base64,${data}`;

type SendFile = (key: Client, agentId: string, file: FileInput) => Promise<Reply>;

const contentsOf = (file: FileInput): object[] => [
  { type: 'text', text: 'Read it.' },
  { type: 'file', file_info: { ...file } },
];

const DOORS: readonly (readonly [string, SendFile])[] = [
  ['chat', (key, agent, file) => key.post(`/agents/${agent}/chat`, { contents: contentsOf(file), stream: false })],
  [
    'a chat that streams',
    (key, agent, file) => key.post(`/agents/${agent}/chat`, { contents: contentsOf(file) }, { headers: STREAM }),
  ],
  [
    'jobs',
    (key, agentId, file) =>
      key.post('/agent-jobs', { agentId, type: 'AGENT_INVOKE', input: { contents: contentsOf(file) } }),
  ],
  [
    'chat completions',
    (key, model, file) => {
      const content = [{ type: 'file', file: { filename: file.name, file_data: uriOf(file) } }];
      return key.raw('POST', '/openai/v1/chat/completions', { model, messages: [{ role: 'user', content }] });
    },
  ],
  [
    'responses',
    (key, model, file) => {
      const content = [{ type: 'input_file', filename: file.name, file_data: uriOf(file) }];
      return key.raw('POST', '/openai/v1/responses', { model, input: [{ role: 'user', content }] });
    },
  ],
  [
    'AG-UI',
    (key, agentId, file) => {
      const source = { type: 'data', value: file.data, mimeType: file.mediaType };
      const messages = [{ id: '1', role: 'user', content: [{ type: 'document', source }] }];
      const body = { threadId: crypto.randomUUID(), runId: crypto.randomUUID(), messages, tools: [], context: [] };
      return key.raw('POST', `/ag-ui/${agentId}`, body);
    },
  ],
  [
    'LangGraph',
    async (key, assistantId, file) => {
      const thread = (await key.raw('POST', '/langgraph/threads', {})).body.thread_id;
      const content = [{ type: 'file', base64: file.data, mime_type: file.mediaType }];
      const params = { assistant_id: assistantId, input: { messages: [{ type: 'human', content }] } };
      return key.raw('POST', `/langgraph/threads/${thread}/commands`, { id: 1, method: 'run.start', params });
    },
  ],
];

describe('a file', () => {
  let space: TestSpace;
  let agentId: string;
  beforeAll(async () => {
    space = await platform.newSpace();
    const agent = { name: 'Reader', model: 'sim-chat', systemPrompt: 'You read.' };
    agentId = (await space.owner.post('/agents', agent)).body.data.id;
  });

  it.each(DOORS)('that a model cannot read is 415 at %s, and costs nothing', async (_, ask) => {
    const key = await space.key();
    const balance = async (): Promise<unknown> => (await space.owner.get('/usage/balance')).body.data;
    const before = await balance();
    const reply = await ask(key, agentId, { name: 'a.pdf', mediaType: 'application/pdf', data: PDF });
    expect([reply.status, reply.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await balance()).toEqual(before);
  });

  it.each(DOORS)('of text is taken at %s', async (_, ask) => {
    const reply = await ask(await space.key(), agentId, { name: 'a.csv', mediaType: 'text/csv', data: CSV });
    expect([reply.status < 300, reply.body?.code]).toEqual([true, undefined]);
  });

  it('of text reaches the model as its text, once', async () => {
    const file = { name: 'a.csv', mediaType: 'text/csv', data: base64('word '.repeat(100)) };
    const message = async (contents: object[]): Promise<number> =>
      (await space.owner.post(`/agents/${agentId}/chat`, { contents, stream: false })).body.data.token_usage
        .prompt_tokens;
    const without = await message([{ type: 'text', text: 'Read it.' }]);
    const tokens = await message(contentsOf(file));
    expect(tokens - without).toBeGreaterThanOrEqual(100);
    expect(tokens - without).toBeLessThan(110);
  });
});
