import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { connect, nkeyAuthenticator } from 'nats';
import { newNatsUser } from '../../../../tools/launcher/home/nats-user';
import { type Shop, emit, installShop, listen, natsEndpoint, ok } from './an-endpoint';
import { type NatsAccount, closeConnections, connectAs, connectOnce, newAccount } from './nats-account';
import { OwnServer } from './own-server';

/** The server itself passes no message with such an address on. */
const isDroppedByServer = (address: string): boolean => address.startsWith('$JS.ACK.');

/** Addresses that an account may not have the platform publish to. */
const addressesOf = (own: string, other: string): string[] => [
  '>',
  '*',
  '$SYS.REQ.SERVER.PING',
  '$SYS.REQ.USER.INFO',
  `$SYS.ACCOUNT.${other}.CONNECT`,
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  '$JS.FC.stream.consumer',
  '$JS.ACK.stream.consumer.1.1.1.1.1',
  '_INBOX.>',
  '_INBOX.*.stolen',
  `_INBOX.${other}.stolen`,
  `_INBOX.${other}`,
  `_INBOX.${own}`,
  `_INBOX.${own}.*`,
  `_INBOX.${own}.>`,
  `_INBOX.${own}..a`,
  `_INBOX.${own}.a.`,
  `_INBOX.${own}.$SYS`,
  `_INBOX.${own}.a.b.c.d.e.f.g.h.i`,
  `_inbox.${own}.a`,
  `_INBOX.${own}x.a`,
  `switchyard.v1.${own}.ping`,
  `switchyard.v1.${other}.ping`,
  `switchyard-out.v1.${own}.shop`,
  `switchyard-out.v1.${other}.shop`,
  `switchyard-ack.v1.${own}.a.b-1`,
  `switchyard-ack.v1.${other}.a.b-1`,
  'svc.key.verify-key',
  'evt.agent.changed',
];

describe('a server that is observed', () => {
  const server = new OwnServer();
  const observer = newNatsUser();
  const observed: { subject: string; reply: string | undefined }[] = [];
  let accounts: NatsAccount[];
  let carriedOut = 0;

  beforeAll(async () => {
    await server.start(2, { observer: observer.publicKey });
    server.routes.post('/api/tasks/:id/execute', () => {
      carriedOut += 1;
      return { success: true };
    });
    server.routes.get('/api/agents/a/turns/t/stream', (_, reply) => {
      carriedOut += 1;
      return reply.header('content-type', 'text/event-stream').send('id: 1\ndata: x\n\n');
    });
    accounts = await server.serve(['one', 'two']);
    const nats = await connectAs(server.url, { id: 'observer', seed: observer.seed });
    for (const subject of ['>', '$SYS.>', '$JS.>'])
      nats.subscribe(subject, {
        callback: (_, message) => observed.push({ subject: message.subject, reply: message.reply }),
      });
    await nats.flush();
  });

  afterAll(async () => {
    await closeConnections();
    await server.stop();
  });

  it('has nothing from the platform for a reply address outside of the inbox of the account', async () => {
    const [own, other] = accounts as [NatsAccount, NatsAccount];
    const addresses = addressesOf(own.id, other.id);
    const operations = ['tasks.t.execute', 'turns.a.t.attach', 'nothing', 'http'];
    for (const reply of addresses)
      for (const operation of operations) own.nats.publish(own.subject(operation), '{}', { reply });
    // One that may be answered comes after all of them.
    expect((await own.request('tasks.t.execute', {})).status).toBe(200);
    await until(() => observed.some(({ subject }) => subject.startsWith(`_INBOX.${own.id}.`)));
    const passed = new Set(observed.filter(({ reply }) => addresses.includes(reply ?? '')).map(({ reply }) => reply));
    expect(addresses.filter((address) => !passed.has(address) && !isDroppedByServer(address))).toEqual([]);
    expect(carriedOut).toBe(1);
    const answers = observed.filter(({ subject }) => !subject.startsWith(`switchyard.v1.${own.id}.`));
    expect(new Set(answers.map(({ subject }) => subject))).toEqual(
      new Set([expect.stringMatching(new RegExp(`^_INBOX\\.${own.id}\\.\\w+$`))]),
    );
  });

  it('has nothing from the platform for a reply address beside a reply', async () => {
    const [own, other] = accounts as [NatsAccount, NatsAccount];
    const before = observed.length;
    const messages = await own.stream('turns.a.t.attach', undefined, {
      onMessage: (message) => {
        const { reply: to = '' } = message;
        if (to !== '') for (const reply of addressesOf(own.id, other.id)) own.nats.publish(to, '', { reply });
        return false;
      },
    });
    expect(messages.at(-1)?.headers['Switchyard-End']).toBe('true');
    expect((await own.request('tasks.t.execute', {})).status).toBe(200);
    const allowed = [`switchyard.v1.${own.id}.`, `switchyard-ack.v1.${own.id}.`, `_INBOX.${own.id}.`];
    const others = observed
      .slice(before)
      .filter(({ subject }) => !allowed.some((prefix) => subject.startsWith(prefix)));
    expect(others).toEqual([]);
  });
});

describe('a prober with the seed of one account', () => {
  const platform = usePlatform();
  let space: TestSpace;
  let shop: Shop;
  let account: NatsAccount;
  let other: NatsAccount;
  let datasetId: string;
  let endpoint: { id: string; name: string };
  const received: string[] = [];

  beforeAll(async () => {
    space = await platform.newSpace();
    shop = await installShop(space);
    ({ account } = await newAccount(platform, space));
    ({ account: other } = await newAccount(platform, space));
    const schema = { fields: [{ name: 'text', type: 'string' }] };
    datasetId = ok(await space.owner.post('/datasets', { name: 'Data', schema }), 201).id as string;
    endpoint = await natsEndpoint(space, shop, account);
    for (const subject of [`_INBOX.${other.id}.>`, `switchyard-out.v1.${other.id}.>`])
      other.nats.subscribe(subject, { callback: (_, message) => received.push(message.subject) });
    await other.nats.flush();
  });

  afterAll(closeConnections);

  const count = async (): Promise<number> =>
    (await space.owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count as number;
  const gatewayHasRefused = (): Promise<number> =>
    platform
      .service('gateway')
      .metric('switchyard_nats_api_messages_total', { outcome: 'reply_refused' })
      .catch(() => 0);

  it('publishes nothing to it and carries nothing out', async () => {
    const before = await gatewayHasRefused();
    const addresses = addressesOf(account.id, other.id);
    const insert = JSON.stringify({ records: [{ text: 'never' }] });
    for (const reply of addresses) {
      account.nats.publish(account.subject(`datasets.${datasetId}.insert`), insert, { reply });
      account.nats.publish(account.subject('ping'), '', { reply });
      account.nats.publish(account.subject(`turns.${newId()}.${newId()}.attach`), '', { reply });
    }
    const passing = addresses.filter((address) => !isDroppedByServer(address));
    await until(async () => (await gatewayHasRefused()) - before >= 3 * passing.length);
    expect((await account.request('ping')).status).toBe(200);
    expect([await count(), received]).toEqual([0, []]);
  });

  it('has the platform publish nothing by a reply to an event', async () => {
    const { end } = await listen(account, endpoint.name, ({ reply, respond }) => {
      for (const address of addressesOf(account.id, other.id))
        account.nats.publish(reply, '', {
          reply: address,
          headers: account.natsHeaders({ 'Switchyard-Progress': 'true' }),
        });
      respond();
    });
    const envelopeId = await emit(shop, 'a');
    await until(async () => {
      const { body } = await space.owner.get(`/events/endpoints/${endpoint.id}/deliveries`);
      const found = (body.data as { envelopeId: string; status: string }[]).find(
        (delivery) => delivery.envelopeId === envelopeId,
      );
      return found?.status === 'DELIVERED';
    });
    end();
    expect(received).toEqual([]);
  });

  it('subscribes to nothing else and publishes nowhere else', async () => {
    const prober = await connectAs(platform.state.natsApiUrl, account);
    const refused = new Set<string>();
    void (async () => {
      for await (const { permissionContext } of prober.status())
        if (permissionContext) refused.add(`${permissionContext.operation} ${permissionContext.subject}`);
    })();
    const observed: string[] = [];
    const id = account.id;
    const foreign = [
      '>',
      '*',
      '*.>',
      '*.*.>',
      '$SYS.>',
      `$SYS.ACCOUNT.*.CONNECT`,
      '$JS.>',
      '$JS.API.>',
      '_INBOX.>',
      '_INBOX.*.>',
      `_INBOX.*`,
      `*.${id}.>`,
      `_INBOX.${other.id}.>`,
      'switchyard.>',
      `switchyard.v1.${id}.>`,
      `switchyard.v1.${other.id}.>`,
      `switchyard-ack.v1.${id}.>`,
      'switchyard-ack.v1.>',
      'switchyard-out.v1.>',
      `switchyard-out.v1.*.${endpoint.name}`,
      `switchyard-out.*.${id}.${endpoint.name}`,
      'svc.>',
      'evt.>',
    ];
    for (const subject of foreign)
      for (const queue of [undefined, 'switchyard', 'workers'])
        prober.subscribe(subject, {
          ...(queue === undefined ? {} : { queue }),
          callback: (error, message) => {
            if (error === null) observed.push(message.subject);
          },
        });
    const targets = addressesOf(id, other.id).filter(
      (subject) => !subject.startsWith(`switchyard.v1.${id}.`) && !subject.startsWith(`switchyard-ack.v1.${id}.`),
    );
    for (const subject of targets) prober.publish(subject, '');
    await until(
      () =>
        foreign.every((subject) => refused.has(`subscription ${subject}`)) &&
        targets.every((subject) => refused.has(`publish ${subject}`)),
    );
    // Messages that pass the server meanwhile do not arrive.
    await emit(shop, 'b');
    expect((await other.request('ping')).status).toBe(200);
    expect((await account.request('ping')).status).toBe(200);
    await prober.flush();
    expect([observed, received.filter((subject) => !subject.startsWith(`_INBOX.${other.id}.`))]).toEqual([[], []]);
  });

  it('is no other account, and no user of the server of the platform', async () => {
    const refused = { code: 'AUTHORIZATION_VIOLATION' };
    const { natsApiUrl, natsUrl } = platform.state;
    await expect(connectOnce(natsUrl, account.seed)).rejects.toMatchObject(refused);
    await expect(connectOnce(natsApiUrl, newNatsUser().seed)).rejects.toMatchObject(refused);
    await expect(connect({ servers: natsApiUrl, reconnect: false })).rejects.toMatchObject(refused);
    // Signed with the own seed, under the name of the other account.
    const theirs = ok(await space.owner.get(`/spaces/${space.id}/nats-accounts/${other.id}`), 200).publicKey as string;
    const own = nkeyAuthenticator(new TextEncoder().encode(account.seed));
    const authenticator = (nonce?: string): object => ({ ...own(nonce), nkey: theirs });
    // The server may close the connection before its reason is read.
    await expect(
      connect({ servers: natsApiUrl, reconnect: false, authenticator: authenticator as never }),
    ).rejects.toBeDefined();
  });

  it('gets no answer of another account through a queue group', async () => {
    const answers: string[] = [];
    const thief = await connectAs(platform.state.natsApiUrl, account);
    thief.subscribe(`switchyard-out.v1.${account.id}.>`, {
      queue: 'workers',
      callback: (_, message) => answers.push(message.subject),
    });
    const stolen = await natsEndpoint(space, shop, other);
    const { received: theirs, end } = await listen(other, stolen.name);
    const envelopeId = await emit(shop, 'c');
    await until(() => theirs.some(({ body }) => body.envelopeId === envelopeId));
    end();
    expect(answers.filter((subject) => subject.includes(other.id))).toEqual([]);
  });
});
