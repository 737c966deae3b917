import { fingerprint } from '@switchyard/kernel';
import { until, usePlatform } from '@switchyard/testing';
import { dataOf, emission, eventTask, install, manifestOf, orderSchema } from './an-application';

const platform = usePlatform();

describe('an application', () => {
  it('is installed with a key that is shown once, and is listed without it', async () => {
    const space = await platform.newSpace();
    const { id, identifier, body } = await install(space);
    expect(body).toMatchObject({ id, identifier, name: 'Shop', version: '1.0.0', status: 'INSTALLED' });
    expect(body.systemApiKey).toMatch(/^[A-Za-z0-9]{40}$/);
    const read = dataOf(await space.owner.get(`/applications/${id}`), 200);
    expect(read).toMatchObject({ id, identifier });
    expect(read.systemApiKey).toBeUndefined();
    const listed = await space.owner.get('/applications?platform=false');
    expect(listed.body).toMatchObject({ success: true, data: [{ id }], page: { limit: 20, nextCursor: null } });
    const events = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as Record<
      string,
      unknown
    >[];
    expect(events.map((event) => event.name).sort()).toEqual(['order.created', 'order.paid']);
    expect(events[0]).toMatchObject({
      applicationId: id,
      appIdentifier: identifier,
      active: true,
      emitOn: null,
      schema: orderSchema,
    });
  });

  it('is installed once: 409 for a second, also when two come at once', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => space.owner.post('/applications', { manifest })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({ success: false, code: 'CONFLICT' });
    const winner = answers.find((answer) => answer.status === 201);
    const key = (winner?.body as { data: { systemApiKey: string } }).data.systemApiKey;
    const body = { appIdentifier: manifest.identifier, event: 'order.created', payload: { order: '1' } };
    expect((await space.owner.as(`Bearer ${key}`).post('/events/emit', body)).status).toBe(202);
  });

  it('is installed once for one idempotency key, and the repeat does not show the key', async () => {
    const space = await platform.newSpace();
    const manifest = manifestOf();
    const headers = { 'idempotency-key': 'install-1' };
    const first = await space.owner.post('/applications', { manifest }, { headers });
    const again = await space.owner.post('/applications', { manifest }, { headers });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(dataOf(again, 201).id).toBe(dataOf(first, 201).id);
    expect(dataOf(again, 201).systemApiKey).toBeUndefined();
    const other = await space.owner.post('/applications', { manifest: { ...manifest, name: 'Other' } }, { headers });
    expect(other.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it.each([
    ['an identifier that is no slug', { identifier: 'My Shop' }, 'manifest.identifier'],
    ['a version that is no semver', { version: '1.0' }, 'manifest.version'],
    ['an unknown field', { colour: 'red' }, 'manifest.colour'],
    [
      'a schema that is none',
      { events: [{ name: 'a', schema: { type: 'nonsense' } }] },
      'manifest.events[0].schema/type',
    ],
    [
      'a reference out of its schema',
      { events: [{ name: 'a', schema: { $ref: 'https://example.com' } }] },
      'manifest.events[0].schema/$ref',
    ],
    [
      'an event declared twice',
      {
        events: [
          { name: 'a', schema: {} },
          { name: 'a', schema: {} },
        ],
      },
      'manifest.events[1].name',
    ],
    ['a subscription to nothing', { subscriptions: [{ event: 'b', task: {} }] }, 'manifest.subscriptions[0].event'],
  ])('is refused with %s, by name', async (_what, changes, path) => {
    const space = await platform.newSpace();
    const reply = await space.owner.post('/applications', { manifest: manifestOf(changes) });
    expect(reply.status).toBe(400);
    const { code, details } = reply.body as unknown as { code: string; details: { path: string }[] };
    expect(code).toBe('VALIDATION_ERROR');
    expect(details.map((detail) => detail.path)).toContain(path);
    expect((await space.owner.get('/applications?platform=false')).body).toMatchObject({ data: [] });
  });

  it('is managed by ADMIN and up, read by everybody of the Space, and unknown to others', async () => {
    const space = await platform.newSpace();
    const { id } = await install(space);
    const member = await space.member('MEMBER');
    const viewer = await space.member('VIEWER');
    const stranger = (await platform.newSpace()).owner;
    const manifest = manifestOf();
    expect((await member.post('/applications', { manifest })).status).toBe(403);
    expect((await member.delete(`/applications/${id}`)).status).toBe(403);
    expect((await member.post(`/applications/${id}/rotate-key`, {})).status).toBe(403);
    expect((await viewer.get(`/applications/${id}`)).status).toBe(200);
    expect((await viewer.get('/events/registered?platform=false')).status).toBe(200);
    expect((await stranger.get(`/applications/${id}`)).body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stranger.put(`/applications/${id}`, { manifest })).status).toBe(404);
    expect((await stranger.delete(`/applications/${id}`)).status).toBe(404);
    expect((await space.owner.get('/applications/not-an-id')).status).toBe(400);
    expect((await platform.anonymous.get('/applications?platform=false')).status).toBe(401);
  });

  it('gets a new key, and the old one is dead', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const rotated = dataOf(await space.owner.post(`/applications/${installed.id}/rotate-key`, {}), 200);
    expect(rotated).toMatchObject({ id: installed.id });
    const fresh = space.owner.as(`Bearer ${rotated.systemApiKey as string}`);
    expect((await fresh.post('/events/emit', emission(installed))).status).toBe(202);
    expect((await installed.app.post('/events/emit', emission(installed))).status).toBe(401);
  });

  it('keeps a schema that was stored before there were limits, and says what it does not check', async () => {
    const space = await platform.newSpace();
    const schema = { properties: { link: { format: 'url' } } };
    const installed = await install(space, { events: [{ name: 'old', schema: { type: 'object' } }] });
    await platform.database.query(
      'update event_bus.registered_events set schema = $2, schema_fingerprint = $3 where space_id = $1',
      [space.id, JSON.stringify(schema), fingerprint(schema)],
    );
    const [event] = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as object[];
    expect(event).toMatchObject({ name: 'old', uncheckedFormats: ['/properties/link/format'] });
    const emitted = { appIdentifier: installed.identifier, event: 'old', payload: { link: 'no address' } };
    expect((await installed.app.post('/events/emit', emitted)).status).toBe(202);
    const upgrade = (events: object[]) =>
      space.owner.put(`/applications/${installed.id}`, {
        manifest: manifestOf({ identifier: installed.identifier, version: '2.0.0', events }),
      });
    const changed = await upgrade([{ name: 'old', schema: { ...schema, title: 'new' } }]);
    expect([changed.status, changed.body.details]).toMatchObject([
      400,
      [{ path: 'manifest.events[0].schema/properties/link/format' }],
    ]);
    expect((await upgrade([{ name: 'old', schema, description: 'again' }])).status).toBe(200);
  });

  it('follows an upgraded manifest in its events', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const manifest = manifestOf({
      identifier: installed.identifier,
      version: '2.0.0',
      events: [
        { name: 'order.created', schema: { ...orderSchema, required: ['order', 'total'] } },
        { name: 'order.shipped', schema: {} },
      ],
    });
    const before = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as {
      id: string;
      name: string;
    }[];
    expect(dataOf(await space.owner.put(`/applications/${installed.id}`, { manifest }), 200)).toMatchObject({
      version: '2.0.0',
    });
    const after = dataOf(await space.owner.get('/events/registered?platform=false'), 200) as unknown as {
      id: string;
      name: string;
    }[];
    expect(after.map((event) => event.name).sort()).toEqual(['order.created', 'order.shipped']);
    const idOf = (events: { id: string; name: string }[]): string | undefined =>
      events.find((event) => event.name === 'order.created')?.id;
    expect(idOf(after)).toBe(idOf(before));
    expect(
      (await installed.app.post('/events/emit', emission(installed, { payload: { order: 'x' } }))).body,
    ).toMatchObject({
      code: 'EVENT_PAYLOAD_INVALID',
      details: [{ path: 'payload.total' }],
    });
    expect((await installed.app.post('/events/emit', emission(installed, { event: 'order.paid' }))).body).toMatchObject(
      {
        code: 'EVENT_NOT_REGISTERED',
      },
    );
    expect((await installed.app.post('/events/emit', emission(installed, { event: 'order.shipped' }))).status).toBe(
      202,
    );
    const renamed = await space.owner.put(`/applications/${installed.id}`, { manifest: manifestOf() });
    expect(renamed.body).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is upgraded again after an upgrade that a dataset failed which is gone', async () => {
    const space = await platform.newSpace();
    const schema = { fields: [{ name: 'name', type: 'string' }] };
    const datasetId = dataOf(await space.owner.post('/datasets', { name: 'Rows', schema }), 201).id as string;
    const emitOn = { dataset: datasetId, operations: ['insert'] };
    const { id, identifier } = await install(space, { events: [{ name: 'row.added', schema: {}, emitOn }] });
    dataOf(await space.owner.delete(`/datasets/${datasetId}`), 200);
    const upgradeTo = (events: unknown[]): ReturnType<typeof space.owner.put> =>
      space.owner.put(`/applications/${id}`, { manifest: manifestOf({ identifier, version: '2.0.0', events }) });
    expect((await upgradeTo([{ name: 'row.added', schema: {}, emitOn }])).status).toBe(404);
    dataOf(await upgradeTo([{ name: 'row.added', schema: {} }]), 200);
  });

  it('is emitted for as it is at this moment, however often it was before', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    const steps = [{ id: 'emit', type: 'emit', with: emission(installed) }];
    const taskId = await eventTask(space, { type: 'MANUAL', steps });
    const codeOfRun = async (): Promise<string> => {
      const started = dataOf(await space.owner.post(`/tasks/${taskId}/execute`, {}), 202);
      const ended = await until(async () => {
        const run = dataOf(await space.owner.get(`/tasks/executions/${started.id as string}`), 200);
        return run.finishedAt === null ? null : run;
      });
      return (ended.error as { code: string } | null)?.code ?? (ended.status as string);
    };
    const emit = (changes = {}) => installed.app.post('/events/emit', emission(installed, changes));
    // Each has been checked, and found right, more than once.
    for (const _ of [1, 2]) {
      expect((await Promise.all([emit(), emit({ event: 'order.paid' })])).map(({ status }) => status)).toEqual([
        202, 202,
      ]);
      expect(await codeOfRun()).toBe('SUCCEEDED');
    }
    const stricter = manifestOf({
      identifier: installed.identifier,
      version: '2.0.0',
      events: [{ name: 'order.created', schema: { ...orderSchema, required: ['order', 'total', 'kind'] } }],
    });
    dataOf(await space.owner.put(`/applications/${installed.id}`, { manifest: stricter }), 200);
    expect((await emit()).body).toMatchObject({ code: 'EVENT_PAYLOAD_INVALID' });
    expect((await emit({ event: 'order.paid' })).body).toMatchObject({ code: 'EVENT_NOT_REGISTERED' });
    expect(await codeOfRun()).toBe('EVENT_PAYLOAD_INVALID');
    dataOf(await space.owner.delete(`/applications/${installed.id}`), 200);
    expect(await codeOfRun()).toBe('APPLICATION_NOT_INSTALLED');
  });

  it('is uninstalled with its events and its key', async () => {
    const space = await platform.newSpace();
    const installed = await install(space);
    expect(dataOf(await space.owner.delete(`/applications/${installed.id}`), 200)).toEqual({
      id: installed.id,
      deleted: true,
    });
    expect((await space.owner.get(`/applications/${installed.id}`)).status).toBe(404);
    expect(dataOf(await space.owner.get('/events/registered?platform=false'), 200)).toEqual([]);
    expect((await installed.app.post('/events/emit', emission(installed))).status).toBe(401);
    expect((await space.owner.delete(`/applications/${installed.id}`)).status).toBe(404);
    const again = await install(space, { identifier: installed.identifier });
    expect((await again.app.post('/events/emit', emission(again))).status).toBe(202);
  });
});
