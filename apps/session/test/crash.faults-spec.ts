import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { until, usePlatform } from '@switchyard/testing';
import { makeAgent, paths } from './talking';

const platform = usePlatform();

describe('the session service killed in the middle of a turn', () => {
  it('costs no word: the turn is stored once, and the session goes on', async () => {
    const ann = await (await platform.newSpace()).member();
    const agentId = await makeAgent(ann);
    const contents = [{ type: 'text', text: '@@delay 30\n@@tokens 60' }];
    const stream = await ann.stream(
      `/agents/${agentId}/chat`,
      { contents },
      { headers: { 'x-service-stream-protocol': 'stream-v3' } },
    );
    const events: string[] = [];
    let sessionId = '';
    let crash: Promise<void> | undefined;
    for await (const { data } of stream.frames) {
      const fields = data.params.data as { event?: string; session_id?: string };
      events.push(fields.event ?? '');
      if (fields.event === PRODUCT_EVENTS.sessionStarted) sessionId = fields.session_id ?? '';
      if (events.filter((event) => event === PRODUCT_EVENTS.contentDelta).length === 10)
        crash ??= platform.service('session').crash();
    }
    await crash;
    expect(events).toContain(PRODUCT_EVENTS.responseCompleted);
    expect(events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    const messages = await until(async () => {
      const reply = await ann.get(`/agents/sessions/${sessionId}/messages`);
      return reply.status === 200 && reply.body.data.length === 2 ? reply.body.data : null;
    });
    expect(messages.map((message: { seq: number }) => message.seq)).toEqual([1, 2]);
    expect(messages[1].content[0].text.split(' ')).toHaveLength(60);
    expect((await ann.get(`/agents/sessions/${sessionId}`)).body.data.activeTurnId).toBeNull();
    expect((await ann.post(paths(agentId, sessionId).status)).body.data.message_count).toBe(2);
  });
});
