import { newId } from '@switchyard/kernel';
import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { dataOf } from './support/activity-scene';

const platform = usePlatform();
let space: TestSpace;
let agentId: string;
let datasetId: string;
let watcher: string;
let identifier: string;
let application: TestSpace['owner'];

const post = async (path: string, body: unknown, client = space.owner): Promise<Answer> =>
  dataOf(await client.post(path, body));
const treeOf = async (kind: string, id: string, client = space.owner): Promise<Answer> =>
  dataOf(await client.get(`/activity/causes/${kind}/${id}`));
const of = (tree: Answer, kind: string): Answer[] => tree.nodes.filter((node: Answer) => node.kind === kind);
const charged = async (): Promise<number> => {
  const { items } = await ledger();
  return items;
};
const ledger = async (): Promise<{ items: number }> => {
  const { body } = await space.owner.get('/usage/ledger?limit=100');
  return {
    items: body.data.reduce((sum: number, { type, tokens }: Answer) => sum - (type === 'SETTLEMENT' ? tokens : 0), 0),
  };
};
/** Each node hangs under another one of the answer, up to the root. */
function expectJoined(tree: Answer): void {
  const keys = new Set(tree.nodes.map(({ key }: Answer) => key));
  expect(keys.size).toBe(tree.nodes.length);
  for (const { key, parentKey } of tree.nodes) {
    if (key === tree.root) expect(parentKey).toBeNull();
    else expect(keys).toContain(parentKey);
  }
}
const pathOf = (tree: Answer, key: string): string[] => {
  const byKey = new Map<string, Answer>(tree.nodes.map((node: Answer) => [node.key, node]));
  const path: string[] = [];
  for (let node = byKey.get(key); node; node = byKey.get(node.parentKey)) path.unshift(node.kind);
  return path;
};

beforeAll(async () => {
  space = await platform.newSpace();
  const tools = ['write_dataset', 'run_task', 'emit_event', 'ask_user'];
  agentId = (await post('/agents', { name: 'Doer', model: 'sim-chat', systemPrompt: 'Do.', tools })).id;
  datasetId = (await post('/datasets', { name: 'Notes', schema: { fields: [{ name: 'note', type: 'string' }] } })).id;
  identifier = `app-${newId().slice(-12)}`;
  const events = [
    { name: 'asked', schema: { type: 'object' } },
    { name: 'put', schema: { type: 'object' } },
    { name: 'noted', schema: { type: 'object' }, emitOn: { dataset: datasetId, operations: ['insert'] } },
  ];
  const installed = await post('/applications', { manifest: { identifier, name: 'App', version: '1.0.0', events } });
  application = space.owner.as(`Bearer ${installed.systemApiKey as string}`);
  watcher = await taskOn('noted', [{ id: 'seen', type: 'transform', with: { ok: true } }]);
});

async function taskOn(event: string, steps: object[]): Promise<string> {
  const { id } = await post('/tasks', { name: `On ${event}`, type: 'EVENT', active: true, steps });
  await post('/events/subscriptions', { appIdentifier: identifier, event, taskId: id });
  return id as string;
}

const hasMessage = (tool: string, args: object): string => `@@tool ${tool} ${JSON.stringify(args)}`;
const noteIt = (): string =>
  hasMessage('write_dataset', { datasetId, operation: 'insert', records: [{ note: 'hello' }] });
const ended = (taskId: string, count: number): Promise<unknown> =>
  until(
    async () =>
      (await space.owner.get(`/tasks/executions?taskId=${taskId}&status=SUCCEEDED`)).body.data.length >= count,
    { timeoutMs: 60_000 },
  );

/** Asks first; its own reply keeps the question apart from the call that follows. */
const noteAfterAnswer = (): string => {
  const options = ['a', 'b'].map((option) => ({ id: option, label: option }));
  return `${hasMessage('ask_user', { kind: 'single_choice', prompt: 'Which?', options })}\n@@reply Well\n${noteIt()}`;
};
const newSession = async (): Promise<string> => (await post('/agents/sessions', { agentId })).id;
async function answerQuestion(sessionId: string): Promise<void> {
  const request = await until(async () => {
    const pending = await space.owner.get(`/agents/${agentId}/sessions/${sessionId}/interactions/pending`);
    return dataOf(pending)[0];
  });
  const answer = { sessionId, interactionId: request.id, selectedOptionIds: ['a'], otherText: null };
  const headers = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };
  const path = `/agents/${agentId}/turns/${request.turnId as string}/resume`;
  const frames = await space.owner.stream(path, answer, { headers });
  expect(frames.status).toBe(200);
  await frames.all();
}
/** Until what the turn wrote has been seen: its last execution has ended. */
const treeToWatcher = (kind: string, id: string): Promise<Answer> =>
  until(
    async () => {
      const tree = await treeOf(kind, id);
      const isSeen = of(tree, 'execution').some(({ name, status }) => name === 'On noted' && status === 'SUCCEEDED');
      return isSeen ? tree : undefined;
    },
    { timeoutMs: 60_000 },
  );

/** From a job to the run that what its turn wrote has caused. */
const FROM_JOB_TO_RUN = ['job', 'turn', 'tool_call', 'record_write', 'emission', 'delivery', 'execution'];

describe('the tree of causes', () => {
  let emissionTree: Answer;

  it('leads from an emission over an agent, its tool and a record to the next emission, and costs what the ledger says', async () => {
    const before = await charged();
    const request = await taskOn('asked', [
      { id: 'think', type: 'agent', with: { agentId, inputs: { query: noteIt() } } },
    ]);
    const { envelopeId } = await post(
      '/events/emit',
      { appIdentifier: identifier, event: 'asked', payload: {} },
      application,
    );
    await ended(request, 1);
    await ended(watcher, 1);
    const tree = (emissionTree = await treeOf('emission', envelopeId));
    expectJoined(tree);
    expect(tree).toMatchObject({ root: `emission:${envelopeId as string}`, truncated: false });
    const last = of(tree, 'execution').find(({ name }) => name === 'On noted');
    expect(pathOf(tree, last.key)).toEqual([
      'emission',
      'delivery',
      'execution',
      'step',
      'turn',
      'tool_call',
      'record_write',
      'emission',
      'delivery',
      'execution',
    ]);
    expect(of(tree, 'record_write')).toMatchObject([{ name: 'insert 1 in Notes' }]);
    expect(of(tree, 'tool_call')).toMatchObject([{ name: 'write_dataset' }]);
    expect(of(tree, 'model_call').length).toBeGreaterThan(0);
    for (const call of of(tree, 'model_call')) expect(pathOf(tree, call.key).at(-2)).toBe('turn');
    expect(tree.totals.tokens).toBe((await charged()) - before);
    expect(tree.totals.tokens).toBeGreaterThan(0);
    const sum = of(tree, 'model_call').reduce((all: number, { tokens }) => all + Number(tokens), 0);
    expect(tree.totals.tokens).toBe(sum);
    expect(tree.nodes[0].tokens).toBe(sum);
    // A turn can be read by what its node says; nothing else says it.
    expect(tree.nodes.filter((node: Answer) => 'agentId' in node)).toEqual(of(tree, 'turn'));
    for (const turn of of(tree, 'turn')) expect(turn).toMatchObject({ agentId });
    // The same tree from each of its records.
    for (const { kind, id } of tree.nodes.filter((node: Answer) =>
      ['turn', 'execution', 'emission'].includes(node.kind),
    ))
      expect(await treeOf(kind, id)).toEqual(tree);
  });

  it('leads from a turn of a conversation over a task that its tool has run to a record and its event', async () => {
    const before = await charged();
    const write = { datasetId, operation: 'insert', records: [{ note: 'by hand' }] };
    const task = await post('/tasks', { name: 'Write', steps: [{ id: 'write', type: 'dataset', with: write }] });
    const turnId = newId();
    const contents = [{ type: 'text', text: hasMessage('run_task', { taskId: task.id }) }];
    await post(`/agents/${agentId}/chat`, { turnId, contents, stream: false });
    await ended(task.id, 1);
    await ended(watcher, 2);
    const tree = await treeOf('turn', turnId);
    expectJoined(tree);
    const last = of(tree, 'execution').find(({ name }) => name === 'On noted');
    expect(pathOf(tree, last.key)).toEqual([
      'turn',
      'tool_call',
      'execution',
      'step',
      'record_write',
      'emission',
      'delivery',
      'execution',
    ]);
    expect(tree.totals.tokens).toBe((await charged()) - before);
    expect(await treeOf('execution', last.id)).toEqual(tree);
    const { sessionId } = of(tree, 'turn')[0];
    const nextId = newId();
    await post(`/agents/${agentId}/chat`, {
      turnId: nextId,
      session_id: sessionId,
      contents: [{ type: 'text', text: 'And now?' }],
      stream: false,
    });
    const output = dataOf(await space.owner.get(`/agents/sessions/${sessionId as string}/messages?turnId=${nextId}`));
    expect(output.length).toBeGreaterThan(1);
    expect(new Set(output.map((message: Answer) => message.turnId))).toEqual(new Set([nextId]));
  });

  it('begins with a job', async () => {
    const before = await charged();
    const input = { inputs: { query: noteIt() } };
    const { id } = await post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input });
    await until(async () => dataOf(await space.owner.get(`/agent-jobs/${id as string}`)).phase === 'SUCCEEDED');
    await ended(watcher, 3);
    const tree = await treeOf('job', id);
    expectJoined(tree);
    const last = of(tree, 'execution').find(({ name }) => name === 'On noted');
    expect(pathOf(tree, last.key)).toEqual(FROM_JOB_TO_RUN);
    expect(tree.totals.tokens).toBe((await charged()) - before);
  });

  it('keeps the turn of a job whose user has answered it', async () => {
    const before = await charged();
    const sessionId = await newSession();
    const input = { inputs: { query: noteAfterAnswer(), session_id: sessionId } };
    const { id } = await post('/agent-jobs', { type: 'AGENT_INVOKE', agentId, input });
    await answerQuestion(sessionId);
    const tree = await treeToWatcher('job', id);
    expectJoined(tree);
    const last = of(tree, 'execution').find(({ name }) => name === 'On noted');
    expect(pathOf(tree, last.key)).toEqual(FROM_JOB_TO_RUN);
    expect(of(tree, 'model_call')).toHaveLength(3);
    expect(tree.totals.tokens).toBe((await charged()) - before);
  });

  it('keeps what a turn of a task emits after its user has answered, as deep as its chain', async () => {
    const sessionId = await newSession();
    const inputs = { query: noteAfterAnswer(), session_id: sessionId };
    await taskOn('put', [{ id: 'think', type: 'agent', with: { agentId, inputs } }]);
    const emission = { appIdentifier: identifier, event: 'put', payload: {} };
    const { envelopeId } = await post('/events/emit', emission, application);
    await answerQuestion(sessionId);
    const tree = await treeToWatcher('emission', envelopeId);
    expectJoined(tree);
    const noted = of(tree, 'emission').find(({ name }) => name === 'noted');
    expect(dataOf(await space.owner.get(`/events/envelopes/${noted.id as string}`))).toMatchObject({
      depth: 1,
      causationId: envelopeId,
      correlationId: envelopeId,
    });
  });

  it('hides what the caller may not see, and still joins', async () => {
    const member = await space.member('MEMBER');
    const { id } = emissionTree.nodes[0];
    const seen = await treeOf('emission', id, member);
    expect(seen.nodes.map(({ key, parentKey }: Answer) => [key, parentKey])).toEqual(
      emissionTree.nodes.map(({ key, parentKey }: Answer) => [key, parentKey]),
    );
    expect(seen.totals).toEqual(emissionTree.totals);
    for (const kind of ['turn', 'tool_call', 'model_call'])
      for (const node of of(seen, kind))
        expect(node).toEqual({ key: node.key, parentKey: node.parentKey, kind, id: null, hidden: true });
    expect(of(seen, 'execution').every(({ hidden }) => hidden === undefined)).toBe(true);
    const events = await space.key({ scopes: ['events:read'] });
    const few = await treeOf('emission', id, events);
    expect(new Set(few.nodes.filter(({ hidden }: Answer) => !hidden).map(({ kind }: Answer) => kind))).toEqual(
      new Set(['emission', 'delivery']),
    );
    // The root of a chain may be of a kind that the key does not read.
    const tasks = await space.key({ scopes: ['tasks:read'] });
    for (const [kind, key] of [
      ['execution', tasks],
      ['emission', events],
    ] as const) {
      const deepest = of(emissionTree, kind).at(-1);
      const narrow = await treeOf(kind, deepest.id, key);
      expect(narrow.root).toBe(emissionTree.root);
      expect(narrow.nodes.find((node: Answer) => node.key === deepest.key)).toMatchObject({ id: deepest.id });
      expect(of(narrow, 'turn').every(({ hidden }) => hidden === true)).toBe(true);
    }
    const [turn] = of(emissionTree, 'turn');
    const path = `/activity/causes/turn/${turn.id as string}`;
    expect((await member.get(path)).status).toBe(404);
    expect((await events.get(path)).status).toBe(403);
    const { owner: inOtherSpace } = await platform.newSpace();
    expect((await inOtherSpace.get(`/activity/causes/emission/${id as string}`)).status).toBe(404);
    for (const wrong of [`step/${id as string}`, 'emission/x'])
      expect((await member.get(`/activity/causes/${wrong}`)).status).toBe(400);
    expect((await member.get(`/activity/causes/job/${newId()}`)).status).toBe(404);
  });
});
