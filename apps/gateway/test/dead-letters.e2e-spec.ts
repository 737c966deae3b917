import { randomUUID } from 'node:crypto';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();

describe('Dead letters of all services', () => {
  it('are listed for operators without their content, sent back, and discarded with a reason', async () => {
    const space = await platform.newSpace();
    const id = randomUUID();
    await platform.database.query(
      `insert into dataset.dead_letter (consumer, message_id, name, body, attempts, error, space_id)
       values ('without-handler', $1, 'test.happened', '{"secret": "words of a user"}', 8, 'TIMEOUT: words of a user', $2)`,
      [id, space.id],
    );
    const { operator } = space;
    const listed = await operator.get('/operator/dead-letters?limit=100');
    expect(listed.status).toBe(200);
    const letters = listed.body.data as { id: string }[];
    expect(letters.find((letter) => letter.id === id)).toMatchObject({ spaceId: space.id, event: 'test.happened' });
    expect(JSON.stringify(letters)).not.toContain('words of a user');
    expect((await operator.post(`/operator/dead-letters/${id}/requeue`)).status).toBe(200);
    expect((await operator.post(`/operator/dead-letters/${id}/discard`, {})).status).toBe(400);
    expect((await operator.post(`/operator/dead-letters/${id}/discard`, { reason: 'A test.' })).status).toBe(200);
    expect((await operator.post(`/operator/dead-letters/${id}/requeue`)).status).toBe(404);
    const events = (await space.owner.get(`/spaces/${space.id}/security-events?limit=100`)).body.data as {
      action: string;
      target: string;
      actor: { type: string };
      details: Record<string, unknown>;
    }[];
    const acts = events
      .filter(({ target }) => target === id)
      .map(({ action, actor, details }) => [action, actor.type, details]);
    const what = { service: 'dataset', event: 'test.happened' };
    expect(acts).toEqual([
      ['dead-letter.discarded', 'operator', { ...what, reason: 'A test.' }],
      ['dead-letter.requeued', 'operator', what],
    ]);
    expect((await space.owner.get('/operator/dead-letters')).status).toBe(404);
  });
});

test('an act on a dead letter of no Space is an event of the platform', async () => {
  const { operator } = await platform.newSpace();
  const id = randomUUID();
  await platform.database.query(
    `insert into dataset.dead_letter (consumer, message_id, name, body, attempts, error, space_id)
     values ('without-handler', $1, 'test.happened', '{}', 8, 'TIMEOUT', null)`,
    [id],
  );
  expect((await operator.post(`/operator/dead-letters/${id}/discard`, { reason: 'A test.' })).status).toBe(200);
  const listed = await operator.get('/operator/events?action=dead-letter.discarded&limit=100');
  const own = (listed.body.data as { target: string }[]).find(({ target }) => target === id);
  expect(own).toMatchObject({ spaceId: null, actor: { type: 'operator' }, details: { reason: 'A test.' } });
});

describe('Given up work', () => {
  it('stays listed where its retry is refused, and leaves the list where its record is not there any more', async () => {
    const { operator, id: spaceId } = await platform.newSpace();
    // One has no execution any more, the other is listed for its size alone.
    for (const [kind, losses, status, isListed] of [
      ['execution', 2, 404, false],
      ['oversized-task', 0, 409, true],
    ]) {
      const id = randomUUID();
      await platform.database.query(
        'insert into task.lost_work (kind, id, space_id, losses, given_up_at) values ($1, $2, $3, $4, clock_timestamp())',
        [kind, id, spaceId, losses],
      );
      const refused = await operator.post(`/operator/poisoned/${id}/retry`, {});
      const listed = await operator.get(`/operator/poisoned?kind=${String(kind)}&limit=100`);
      const ids = (listed.body.data as { id: string }[]).map((row) => row.id);
      await platform.database.query('delete from task.lost_work where id = $1', [id]);
      expect([refused.status, ids.includes(id)]).toEqual([status, isListed]);
    }
  });
});

describe('GET /openai/v1/models/{model}', () => {
  it('shows an agent as a model by its id', async () => {
    const space = await platform.newSpace();
    const agent = { name: 'Model', model: 'sim-chat', systemPrompt: 'Brief.' };
    const { id } = (await space.owner.post('/agents', agent)).body.data;
    const found = await space.owner.raw('GET', `/openai/v1/models/${id as string}`);
    expect([found.status, found.body.id]).toEqual([200, id]);
  });
});
