import { newId } from '@switchyard/kernel';
import { type Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { chat, makeAgent, paths } from './talking';

const platform = usePlatform();
let space: TestSpace;
let ann: Client;

beforeAll(async () => {
  space = await platform.newSpace();
  ann = await space.member();
});

describe('POST context/status', () => {
  it('tells how full the window is, with an empty body or none', async () => {
    const agentId = await makeAgent(ann);
    const sessionId = await chat(ann, agentId, 'Hello there');
    const { status } = paths(agentId, sessionId);
    const reply = await ann.post(status, {});
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      session_id: sessionId,
      model: 'sim-chat',
      used_tokens: expect.any(Number),
      remaining_tokens: expect.any(Number),
      max_tokens: expect.any(Number),
      estimated: true,
      compaction_count: 0,
      summary_state: 'NONE',
      message_count: 2,
    });
    const {
      used_tokens: used,
      remaining_tokens: remaining,
      max_tokens: max,
    } = reply.body.data as Record<string, number>;
    expect(used).toBeGreaterThan(5);
    expect((used ?? 0) + (remaining ?? 0)).toBe(max);
    expect((await ann.post(status)).body.data).toEqual(reply.body.data);
    expect((await ann.post(status, { model: 'x' })).status).toBe(400);
  });

  it('is all zeros without a completed turn, and 404 under another agent and for anybody else', async () => {
    const agentId = await makeAgent(ann);
    const fresh = (await ann.post('/agents/sessions', { agentId })).body.data.id;
    const { status, body } = await ann.post(paths(agentId, fresh).status);
    expect([status, body.data]).toMatchObject([
      200,
      { used_tokens: 0, compaction_count: 0, message_count: 0, summary_state: 'NONE' },
    ]);
    expect(body.data.remaining_tokens).toBe(body.data.max_tokens);
    const sessionId = await chat(ann, agentId, 'Hello');
    expect((await ann.post(paths(await makeAgent(ann), sessionId).status)).status).toBe(404);
    expect((await ann.post(paths(newId(), sessionId).status)).status).toBe(404);
    const ben = await space.member();
    expect((await ben.post(paths(agentId, sessionId).status)).status).toBe(404);
    expect((await ben.post(paths(agentId, sessionId).compact)).status).toBe(404);
    expect((await ben.get(paths(agentId, sessionId).pending)).status).toBe(404);
    const admin = await space.member('ADMIN');
    expect((await admin.post(paths(agentId, sessionId).status)).status).toBe(200);
    expect((await admin.post(paths(agentId, sessionId).compact)).status).toBe(403);
  });

  it('is 403 for whom the agent does not serve, as is a session for it', async () => {
    const ben = await space.member();
    const agentId = await makeAgent(ann, { accessScope: 'RESTRICTED', allowedUserIds: [ann.identity.userId] });
    const sessionId = await chat(ann, agentId, 'Hello');
    const { status, compact, pending } = paths(agentId, sessionId);
    expect(await ben.post(status)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await ben.post(compact)).status).toBe(403);
    expect((await ben.get(pending)).status).toBe(403);
    expect((await ben.post('/agents/sessions', { agentId })).status).toBe(403);
    expect((await ann.post('/agents/sessions', { agentId: newId() })).status).toBe(404);
  });
});

describe('POST context/compact', () => {
  it('puts a summary in the place of what is old, and leaves the transcript alone', async () => {
    const agentId = await makeAgent(ann);
    let sessionId = await chat(ann, agentId, `First. ${'alpha '.repeat(100)}`);
    for (let n = 0; n < 3; n += 1) sessionId = await chat(ann, agentId, `Then. ${'beta '.repeat(100)}`, sessionId);
    const transcript = (await ann.get(`/agents/sessions/${sessionId}/messages`)).body.data;
    const { status, compact } = paths(agentId, sessionId);
    const before = (await ann.post(status)).body.data;
    const { body } = await ann.post(compact, {});
    expect(body.data).toMatchObject({
      compacted: true,
      tokens_before: before.used_tokens,
      compaction_count: 1,
      summary_state: 'CURRENT',
      message_count: 8,
    });
    expect(body.data.tokens_after).toBeLessThan(body.data.tokens_before);
    expect(body.data.used_tokens).toBe(body.data.tokens_after);
    expect(body.data).toMatchObject((await ann.post(status)).body.data as object);
    expect((await ann.get(`/agents/sessions/${sessionId}/messages`)).body.data).toEqual(transcript);
    await chat(ann, agentId, 'And on', sessionId);
    expect((await ann.post(status)).body.data).toMatchObject({ summary_state: 'STALE', compaction_count: 1 });
  });

  it('is refused where the cap of one request leaves no room for the summary', async () => {
    const tight = await platform.newSpace();
    const agentId = await makeAgent(tight.owner);
    let sessionId = await chat(tight.owner, agentId, `First. ${'alpha '.repeat(100)}`);
    for (let n = 0; n < 3; n += 1)
      sessionId = await chat(tight.owner, agentId, `Then. ${'beta '.repeat(100)}`, sessionId);
    const capped = { settings: { requestTokenCap: 100 } };
    expect((await tight.owner.patch(`/spaces/${tight.id}`, capped)).status).toBe(200);
    const { compact } = paths(agentId, sessionId);
    const refused = await until(async () => {
      const answer = await tight.owner.post(compact, {});
      return answer.status === 200 ? undefined : answer;
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'REQUEST_TOO_LARGE']);
    expect(refused.body.message).toContain('requestTokenCap');
  });

  it('has nothing to do for a single exchange, and is 404 before there is one', async () => {
    const agentId = await makeAgent(ann);
    const fresh = (await ann.post('/agents/sessions', { agentId })).body.data.id;
    expect(await ann.post(paths(agentId, fresh).compact)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const sessionId = await chat(ann, agentId, 'Hello');
    const { status, compact } = paths(agentId, sessionId);
    const { data } = (await ann.post(compact)).body;
    expect(data).toEqual({
      ...(await ann.post(status)).body.data,
      compacted: false,
      compaction_count: 0,
      tokens_before: data.used_tokens,
      tokens_after: data.used_tokens,
    });
  });

  it('knows no checkpoint of a turn that has failed', async () => {
    const agentId = await makeAgent(ann);
    const contents = [{ type: 'text', text: '@@error 500' }];
    const { id } = (await ann.post('/agents/sessions', { agentId })).body.data;
    expect((await ann.post(`/agents/${agentId}/chat`, { contents, session_id: id, stream: false })).status).toBe(503);
    expect((await ann.post(paths(agentId, id).status)).body.data).toMatchObject({
      used_tokens: 0,
      compaction_count: 0,
    });
    expect((await ann.post(paths(agentId, id).compact)).status).toBe(404);
    expect((await ann.get(`/agents/sessions/${id}`)).body.data.messageCount).toBe(1);
  });

  it('does not wait: 409 while a choice is pending', async () => {
    const agentId = await makeAgent(ann, { tools: ['ask_user'] });
    const form = {
      kind: 'single_choice',
      prompt: 'Which?',
      options: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    };
    const contents = [{ type: 'text', text: `Ask me.\n@@tool ask_user ${JSON.stringify(form)}\n@@reply Thanks` }];
    const request = (await ann.post(`/agents/${agentId}/chat`, { contents, stream: false })).body.data;
    expect(request).toMatchObject({ status: 'WAITING_INPUT', interaction: { status: 'PENDING' } });
    const { compact, pending } = paths(agentId, request.session_id);
    expect(await ann.post(compact)).toMatchObject({ status: 409, body: { code: 'INTERACTION_PENDING' } });
    const list = await ann.get(pending);
    expect(list.body.data).toEqual([request.interaction]);
    expect(list.body.page).toEqual({ limit: 20, nextCursor: null });
    await ann.post(`/agents/${agentId}/turns/${request.turn_id}/cancel`, { sessionId: request.session_id });
    await until(async () => (await ann.get(`/agents/sessions/${request.session_id}`)).body.data.activeTurnId === null);
    expect((await ann.get(pending)).body.data).toEqual([]);
  });

  it('is 409 while a turn runs', async () => {
    const agentId = await makeAgent(ann);
    const sessionId = await chat(ann, agentId, 'Hello');
    const contents = [{ type: 'text', text: '@@delay 200\n@@tokens 100' }];
    const running = ann.post(`/agents/${agentId}/chat`, { contents, session_id: sessionId, stream: false });
    const turnId = await until(
      async () => (await ann.get(`/agents/sessions/${sessionId}`)).body.data.activeTurnId as string | null,
    );
    const refused = await ann.post(paths(agentId, sessionId).compact);
    expect(refused).toMatchObject({ status: 409, body: { code: 'TURN_ALREADY_ACTIVE' } });
    expect(refused.body.message).toContain(turnId);
    await ann.delete(`/agents/sessions/${sessionId}`);
    // A deleted session stops its turn, and the waiting call is answered.
    expect((await running).body.data.status).toBe('CANCELLED');
  });
});

describe('a context that outgrows 80% of the window', () => {
  it('is compacted by itself, before the model is asked', async () => {
    const agentId = await makeAgent(ann);
    // A token each, of two bytes: where a busy machine has no time to count them all, bytes count for the rest.
    const long = (letter: string, times: number) => `${`${letter} `.repeat(times)}\n@@reply ok`;
    const [first, second] = [long('a', 60_000), long('b', 45_000)];
    const sessionId = await chat(ann, agentId, first);
    const { status } = paths(agentId, sessionId);
    const before = (await ann.post(status)).body.data;
    expect(before).toMatchObject({ compaction_count: 0 });
    expect(before.used_tokens).toBeGreaterThan(before.max_tokens * 0.4);
    await chat(ann, agentId, second, sessionId);
    const after = (await ann.post(status)).body.data;
    expect(after).toMatchObject({ compaction_count: 1, message_count: 4 });
    // Both together would be more.
    expect(after.used_tokens).toBeLessThan(after.max_tokens * 0.8);
    const transcript = (await ann.get(`/agents/sessions/${sessionId}/messages`)).body.data;
    expect(transcript.map((m: { content: { text: string }[] }) => m.content[0]?.text)).toEqual([
      first,
      'ok',
      second,
      'ok',
    ]);
  });
});

describe('POST /agents/sessions/{sessionId}/fork', () => {
  it('takes all of it where no message is named, also while a turn runs, and leaves the turn there', async () => {
    const agentId = await makeAgent(ann);
    const sessionId = await chat(ann, agentId, 'One');
    await ann.patch(`/agents/sessions/${sessionId}`, { title: 'Named', metadata: { a: 1 } });
    const contents = [{ type: 'text', text: '@@delay 100\n@@tokens 1000' }];
    const running = ann.post(`/agents/${agentId}/chat`, { contents, session_id: sessionId, stream: false });
    const turnId = await until(
      async () => (await ann.get(`/agents/sessions/${sessionId}`)).body.data.activeTurnId as string | null,
    );
    const { data } = (await ann.post(`/agents/sessions/${sessionId}/fork`, {})).body;
    expect(data).toMatchObject({ title: 'Named', metadata: { a: 1 }, messageCount: 3, activeTurnId: null });
    expect(await chat(ann, agentId, 'Here', data.id)).toBe(data.id);
    const foreign = (await ann.get(`/agents/sessions/${data.id}/messages`)).body.data[0].id;
    expect((await ann.post(`/agents/sessions/${sessionId}/fork`, { fromMessageId: foreign })).status).toBe(404);
    await ann.post(`/agents/${agentId}/turns/${turnId}/cancel`, { sessionId });
    expect((await running).body.data.status).toBe('CANCELLED');
  });

  it('shares the transcript up to a message, and grows on its own', async () => {
    const agentId = await makeAgent(ann);
    const sessionId = await chat(ann, agentId, 'One');
    await chat(ann, agentId, 'Two', sessionId);
    const messages = (await ann.get(`/agents/sessions/${sessionId}/messages`)).body.data;
    const { status, body } = await ann.post(`/agents/sessions/${sessionId}/fork`, { fromMessageId: messages[1].id });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      title: 'One',
      agentId,
      messageCount: 2,
      activeTurnId: null,
      userId: ann.identity.userId,
    });
    const forkId = body.data.id as string;
    const texts = async (id: string) =>
      (await ann.get(`/agents/sessions/${id}/messages`)).body.data.map(
        (m: { content: { text: string }[] }) => m.content[0]?.text,
      );
    expect(await texts(forkId)).toEqual((await texts(sessionId)).slice(0, 2));
    await chat(ann, agentId, 'Elsewhere', forkId);
    const forked = (await ann.get(`/agents/sessions/${forkId}/messages`)).body.data;
    expect(forked.map((m: { seq: number }) => m.seq)).toEqual([1, 2, 3, 4]);
    expect(forked.every((m: { sessionId: string }) => m.sessionId === forkId)).toBe(true);
    expect(await texts(sessionId)).toHaveLength(4);
    expect((await ann.post(paths(agentId, forkId).status)).status).toBe(200);
  });

  it('outlives the agent: the fork is open to another one', async () => {
    const agentId = await makeAgent(ann);
    const sessionId = await chat(ann, agentId, 'One');
    await ann.delete(`/agents/${agentId}`);
    const { status, body } = await ann.post(`/agents/sessions/${sessionId}/fork`, {});
    expect([status, body.data?.agentId]).toEqual([201, null]);
    const other = await makeAgent(ann);
    expect(await chat(ann, other, 'Two', body.data.id)).toBe(body.data.id);
    expect((await ann.get(`/agents/sessions/${body.data.id}`)).body.data).toMatchObject({
      agentId: other,
      messageCount: 4,
    });
  });
});
