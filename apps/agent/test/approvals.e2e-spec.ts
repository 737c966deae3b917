import { createHash, randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type Reply, type TestSpace, approvalTurns, until, usePlatform } from '@switchyard/testing';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();
const RULE = { tool: 'write_dataset' };

/** A turn that waits for its interaction. */
interface Paused {
  session_id: string;
  turn_id: string;
  interaction: { id: string };
}

describe('a call that needs an approval', () => {
  let space: TestSpace;
  let owner: Client;
  let datasetId: string;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    const fields = [{ name: 'title', type: 'string' }];
    datasetId = (await owner.post('/datasets', { name: 'orders', schema: { fields } })).body.data.id;
  });

  const make = async (body: object = {}, client = owner): Promise<string> => {
    const made = await client.post('/agents', {
      ...AGENT,
      tools: ['write_dataset', 'query_dataset'],
      approvals: [RULE],
      ...body,
    });
    expect(made.status).toBe(201);
    return made.body.data.id as string;
  };
  const insert = (title: string): object => ({ datasetId, operation: 'insert', records: [{ title }] });
  const call = (title: string): string => `@@tool write_dataset ${JSON.stringify(insert(title))}`;
  const count = async (title: string): Promise<number> =>
    (await owner.post(`/datasets/${datasetId}/data/count`, { filter: { title } })).body.data.count;
  const ask = async (id: string, text: string, client = owner) =>
    (await client.post(`/agents/${id}/chat`, { ...contentsOf(text), turnId: randomUUID(), stream: false })).body.data;
  const body = (turn: Paused, selected: string[], otherText: string | null = null) => ({
    sessionId: turn.session_id,
    interactionId: turn.interaction.id,
    selectedOptionIds: selected,
    otherText,
  });
  const path = (id: string, turn: Paused): string => `/agents/${id}/turns/${turn.turn_id}/resume`;
  const resume = async (
    id: string,
    turn: Paused,
    selected: string[],
    otherText: string | null = null,
    client = owner,
  ) =>
    framesOf(await (await client.stream(path(id, turn), body(turn, selected, otherText), { headers: STREAM })).all());
  const refused = (
    id: string,
    turn: Paused,
    selected: string[],
    otherText: string | null = null,
    client = owner,
  ): Promise<Reply> => client.post(path(id, turn), body(turn, selected, otherText), { headers: STREAM });

  it('is shown with its arguments and their digest, and runs once it is approved', async () => {
    const id = await make();
    const title = randomUUID();
    const turn = await ask(id, `${call(title)}\n@@reply did {{tool}}`);
    expect(turn.status).toBe('WAITING_INPUT');
    const canonical = `{"datasetId":"${datasetId}","operation":"insert","records":[{"title":"${title}"}]}`;
    const digest = createHash('sha256').update(canonical).digest('hex');
    expect(turn.interaction).toMatchObject({
      purpose: 'approval',
      kind: 'single_choice',
      by: 'USER',
      allowOther: true,
      options: [expect.objectContaining({ id: 'approve' }), expect.objectContaining({ id: 'deny' })],
      calls: [
        { call_id: expect.any(String), name: 'write_dataset', source: 'builtin', arguments: insert(title), digest },
      ],
    });
    expect(await count(title)).toBe(0);
    for (const [selected, text] of [
      [['approve'], 'because'],
      [[], 'no'],
      [['approve', 'deny'], null],
      [['x'], null],
    ] as const)
      expect((await refused(id, turn, [...selected], text)).status).toBe(400);
    const output = await resume(id, turn, ['approve']);
    expect(output.text).toContain('did');
    expect(await count(title)).toBe(1);
    const again = await refused(id, turn, ['deny']);
    expect(again.body.data).toMatchObject({ idempotent: true, interaction: { selectedOptionIds: ['approve'] } });
    expect(await count(title)).toBe(1);
    const traces = await until(async () => {
      const { data } = (await owner.get(`/spaces/${space.id}/security-events?limit=100`)).body;
      const own = data.filter((event: { target: string }) => event.target === turn.interaction.id);
      return own.length > 0 ? own : null;
    });
    expect(traces[0]).toMatchObject({
      action: 'approval.answered',
      actorUserId: owner.identity.userId,
      details: { turnId: turn.turn_id, calls: [{ name: 'write_dataset', digest, approved: true }] },
    });
  });

  it('is told beforehand: which rules it matches, whose they are, and what would be asked', async () => {
    const strict = await platform.newSpace();
    const settings = { approvals: [{ tool: 'write_*', when: { operation: 'delete' }, by: 'ADMIN' }] };
    expect((await strict.owner.patch(`/spaces/${strict.id}`, { settings })).status).toBe(200);
    const approvals = [{ tool: 'run_task' }, { tool: 'write_dataset', when: { operation: 'insert' } }];
    const id = await make({ approvals }, strict.owner);
    const viewer = await strict.member('VIEWER');
    const check = async (operation: string, more: object = {}) =>
      (await viewer.post(`/agents/${id}/approvals/check`, { tool: 'write_dataset', arguments: { operation }, ...more }))
        .body.data;
    expect(await check('insert')).toMatchObject({
      by: 'USER',
      matches: [{ from: 'AGENT', index: 1, rule: approvals[1] }],
      question: { kind: 'single_choice', prompt: expect.stringContaining('write_dataset') },
      digest: createHash('sha256').update('{"operation":"insert"}').digest('hex'),
    });
    await until(async () => (await check('delete')).by === 'ADMIN' || undefined);
    expect((await check('delete')).matches).toEqual([{ from: 'SPACE', index: 0, rule: settings.approvals[0] }]);
    expect(await check('query')).toMatchObject({ by: null, matches: [], question: null });
    expect((await check('query', { approvals: [{ tool: '*' }] })).by).toBe('USER');
    const broken = { tool: 'x', arguments: {}, approvals: [{ tool: 'x', when: { a: { nope: 1 } } }] };
    const refused = await viewer.post(`/agents/${id}/approvals/check`, broken);
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'approvals[0].when.a.nope']);
    expect((await owner.post(`/agents/${id}/approvals/check`, { tool: 'x', arguments: {} })).status).toBe(404);
  });

  it('is a tool error with the reason where it is denied, and the model goes on', async () => {
    const id = await make();
    const title = randomUUID();
    const turn = await ask(id, `${call(title)}\n@@reply so: {{tool}}`);
    const output = await resume(id, turn, ['deny'], 'not on Fridays');
    expect(output.text).toContain('DENIED');
    expect(output.text).toContain('not on Fridays');
    const execution = output.frames
      .map(({ params }) => params.data)
      .find(({ event }) => event === PRODUCT_EVENTS.toolExecution);
    expect(execution).toMatchObject({ status: 'skipped', error: { code: 'DENIED' } });
    expect(await count(title)).toBe(0);
  });

  it('is one of several of a step: the others run at once, and those selected run', async () => {
    const id = await make();
    const [yes, no] = [randomUUID(), randomUUID()];
    const text = `${call(yes)}\n${call(no)}\n@@tool query_dataset ${JSON.stringify({ datasetId })}\n@@reply done`;
    const turn = await ask(id, text);
    expect(turn.tool_executions).toEqual([expect.objectContaining({ name: 'query_dataset', status: 'succeeded' })]);
    const { interaction } = turn;
    expect(interaction).toMatchObject({ purpose: 'approval', kind: 'multiple_choice', minSelections: 0 });
    expect(interaction.options.map((option: { id: string }) => option.id)).toEqual(
      interaction.calls.map((shown: { call_id: string }) => shown.call_id),
    );
    const chosen = interaction.calls.find(
      (shown: { arguments: { records: { title: string }[] } }) => shown.arguments.records[0]?.title === yes,
    );
    const output = await resume(id, turn, [chosen.call_id], 'one is enough');
    expect(output.events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    expect([await count(yes), await count(no)]).toEqual([1, 0]);
  });

  it('comes before a question of the same step', async () => {
    const id = await make({ tools: ['write_dataset', 'ask_user'], approvals: [{ tool: '*' }] });
    const title = randomUUID();
    const question = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
    const turn = await ask(id, `@@tool ask_user ${JSON.stringify(question)}\n${call(title)}\n@@reply done`);
    expect(turn.interaction.purpose).toBe('approval');
    await resume(id, turn, ['approve']);
    expect(await count(title)).toBe(1);
    const pending = (await owner.get(`/agents/${id}/sessions/${turn.session_id}/interactions/pending`)).body.data;
    expect(pending).toEqual([expect.objectContaining({ purpose: 'question', prompt: 'Which?' })]);
  });

  it('runs once for twenty answers at the same moment', async () => {
    const id = await make();
    const title = randomUUID();
    const turn = await ask(id, `${call(title)}\n@@reply done`);
    const replies = await Promise.all(Array.from({ length: 20 }, () => refused(id, turn, ['approve'])));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    await until(async () => (await owner.get(`/agents/${id}/turns/${turn.turn_id}`)).body.data.status === 'COMPLETED');
    expect(await count(title)).toBe(1);
  });

  it('is needed by the rules of the Space, which no agent can loosen, and of an ADMIN where one of the rules says so', async () => {
    const own = await platform.newSpace();
    const fields = [{ name: 'title', type: 'string' }];
    const dataset = (await own.owner.post('/datasets', { name: 'orders', schema: { fields } })).body.data.id as string;
    const member = await own.member();
    const other = await own.member();
    const settings = { approvals: [{ tool: 'write_*', by: 'ADMIN' }] };
    expect((await member.patch(`/spaces/${own.id}`, { settings })).status).toBe(403);
    expect((await own.owner.patch(`/spaces/${own.id}`, { settings })).body.data.settings.approvals).toEqual(
      settings.approvals,
    );
    const id = await make({ approvals: [{ tool: 'write_dataset', by: 'USER' }] }, member);
    const write = { datasetId: dataset, operation: 'insert', records: [{ title: 'x' }] };
    const turn = await ask(id, `@@tool write_dataset ${JSON.stringify(write)}\n@@reply done`, member);
    expect(turn.interaction).toMatchObject({ purpose: 'approval', by: 'ADMIN' });
    expect((await refused(id, turn, ['approve'], null, member)).status).toBe(403);
    expect((await refused(id, turn, ['approve'], null, other)).status).toBe(404);
    const inbox = async (client: Client, query = 'status=PENDING') =>
      (await client.get(`/interactions?${query}`)).body.data;
    expect(await inbox(member)).toEqual([]);
    expect(await inbox(other)).toEqual([]);
    expect(await inbox(own.owner)).toEqual([
      expect.objectContaining({
        id: turn.interaction.id,
        agentId: id,
        agentName: AGENT.name,
        userId: member.identity.userId,
        sessionTitle: expect.any(String),
      }),
    ]);
    const output = await resume(id, turn, ['approve'], null, own.owner);
    expect(output.text).toBe('done');
    expect(await inbox(own.owner)).toEqual([]);
    expect((await inbox(own.owner, 'status=ANSWERED&purpose=approval')).length).toBe(1);
  });

  it('by USER cannot be given by an ADMIN for somebody else', async () => {
    const member = await space.member();
    const admin = await space.member('ADMIN');
    const id = await make({}, member);
    const turn = await ask(id, `${call(randomUUID())}\n@@reply done`, member);
    expect((await refused(id, turn, ['approve'], null, admin)).status).toBe(403);
    expect((await resume(id, turn, ['approve'], null, member)).text).toBe('done');
  });

  it.each([
    ['removed', 'CANCELLED'],
    ['made a VIEWER', 'COMPLETED'],
  ])('writes nothing when its user was %s before an ADMIN approved it', async (change, status) => {
    const member = await space.member();
    const id = await make({ approvals: [{ tool: 'write_dataset', by: 'ADMIN' }] });
    const title = randomUUID();
    const turn = await ask(id, `${call(title)}\n@@reply so: {{tool}}`, member);
    expect(turn.interaction).toMatchObject({ purpose: 'approval', by: 'ADMIN' });
    const membership = `/spaces/${space.id}/members/${member.identity.userId}`;
    const changed =
      change === 'removed' ? await owner.delete(membership) : await owner.patch(membership, { role: 'VIEWER' });
    expect(changed.status).toBe(200);
    const output = await resume(id, turn, ['approve']);
    const ended = await until(async () => {
      const { data } = (await owner.get(`/agents/${id}/turns/${turn.turn_id}`)).body;
      return ['COMPLETED', 'CANCELLED', 'FAILED'].includes(data.status) ? data : null;
    });
    expect(ended.status).toBe(status);
    if (status === 'COMPLETED') expect(output.text).toContain('FORBIDDEN');
    expect(await count(title)).toBe(0);
  });

  it.each([
    ['revoked', 'ADMIN'],
    ['active', 'ADMIN'],
    ['revoked', 'USER'],
    ['expired', 'USER'],
    ['active', 'USER'],
  ])('runs with the key that its turn was begun with: one that is %s, approved by %s', async (state, by) => {
    const member = await space.member();
    const key = await space.key({}, member);
    const keyId = key.identity.keyId as string;
    const id = await make({ approvals: [{ tool: 'write_dataset', by }] });
    const title = randomUUID();
    const turn = await ask(id, `${call(title)}\n@@reply done`, key);
    expect(turn.interaction).toMatchObject({ purpose: 'approval', by });
    if (state === 'revoked') expect((await member.post(`/api-keys/${keyId}/revoke`, {})).status).toBe(200);
    if (state === 'expired')
      await platform.database.query('update key.api_keys set expires_at = now() where id = $1', [keyId]);
    const output = await resume(id, turn, ['approve'], null, by === 'USER' ? member : owner);
    const ending = state === 'active' ? 'COMPLETED' : 'CANCELLED';
    expect(output.frames.at(-1)?.params.data).toEqual({ event: PRODUCT_EVENTS.streamEnded, status: ending });
    expect(await count(title)).toBe(state === 'active' ? 1 : 0);
  });

  it('fails without a session, and the model goes on', async () => {
    const id = await make();
    const title = randomUUID();
    const reply = await owner.post(`/agents/${id}/execute`, {
      inputs: { query: `${call(title)}\n@@reply so: {{tool}}` },
    });
    expect(reply.body.answer).toContain('APPROVAL_REQUIRED');
    expect(await count(title)).toBe(0);
  });

  it('is in the inbox of its user, page by page, and behind the scope agents:call', async () => {
    const own = await platform.newSpace();
    const id = await make({ approvals: [{ tool: '*' }], tools: ['query_dataset'] }, own.owner);
    const turns = [];
    for (let n = 0; n < 3; n += 1)
      turns.push(await ask(id, `@@tool query_dataset ${JSON.stringify({ datasetId })}\n@@reply done`, own.owner));
    const first = (await own.owner.get(`/interactions?status=PENDING&agentId=${id}&purpose=approval&limit=2`)).body;
    const second = (await own.owner.get(`/interactions?status=PENDING&limit=2&cursor=${first.page.nextCursor}`)).body;
    expect([...first.data, ...second.data].map((item: { id: string }) => item.id)).toEqual(
      turns.map((turn) => turn.interaction.id).reverse(),
    );
    expect(second.page.nextCursor).toBeNull();
    expect((await own.owner.get('/interactions?purpose=question')).body.data).toEqual([]);
    expect((await own.owner.get('/interactions?status=OPEN')).status).toBe(400);
    expect((await (await own.key({ scopes: ['agents:read'] })).get('/interactions')).status).toBe(403);
  });

  it.each([
    [[{ tool: '' }], 'approvals[0].tool'],
    [[{ tool: 'a b' }], 'approvals[0].tool'],
    [[{ tool: 'x', when: { a: { above: 1 } } }], 'approvals[0].when'],
    [[{ tool: 'x', when: {} }], 'approvals[0].when'],
    [[{ tool: 'x', by: 'OWNER' }], 'approvals[0].by'],
    [[{ tool: 'x', always: true }], 'approvals[0].always'],
  ])('cannot be asked for by the rules %j', async (approvals, field) => {
    const reply = await owner.post('/agents', { ...AGENT, approvals });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body.details)).toContain(field);
    expect((await owner.patch(`/spaces/${space.id}`, { settings: { approvals } })).status).toBe(400);
  });

  const runs = approvalTurns(40);
  it(
    'never runs unapproved, whatever the turns do',
    async () => {
      const id = await make({ approvals: [{ tool: 'write_dataset', when: { operation: { ne: 'query' } } }] });
      const titles = Array.from({ length: runs }, () => randomUUID());
      const work = async (title: string, n: number): Promise<void> => {
        const turn = await ask(id, `${call(title)}\n@@reply done`);
        expect(turn.interaction?.purpose).toBe('approval');
        expect(await count(title)).toBe(0);
        if (n % 4 === 0) await resume(id, turn, ['approve']);
        else if (n % 4 === 1) await resume(id, turn, ['deny']);
        else if (n % 4 === 2)
          await owner.post(`/agents/${id}/turns/${turn.turn_id}/cancel`, { sessionId: turn.session_id });
      };
      for (let at = 0; at < runs; at += 8)
        await Promise.all(titles.slice(at, at + 8).map((title, n) => work(title, at + n)));
      const counts = await Promise.all(titles.map((title) => count(title)));
      expect(counts).toEqual(titles.map((_, n) => (n % 4 === 0 ? 1 : 0)));
    },
    120_000 + 1_000 * runs,
  );
});
