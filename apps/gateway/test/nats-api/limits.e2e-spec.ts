import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import type { NatsConnection } from 'nats';
import { type NatsAccount, answerOf, closeConnections, connectAs, connectOnce, newAccount } from './nats-account';

const platform = usePlatform();

let space: TestSpace;
let account: NatsAccount;
let other: NatsAccount;
let datasetId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  ({ account } = await newAccount(platform, space));
  ({ account: other } = await newAccount(platform, await platform.newSpace()));
  const schema = { fields: [{ name: 'text', type: 'string' }] };
  const made = await space.owner.post('/datasets', { name: 'Data', schema });
  datasetId = made.body.data.id as string;
});

afterAll(closeConnections);

const REFUSED = { code: 'AUTHORIZATION_VIOLATION' };

const refusedBy = (nats: NatsConnection): string[] => {
  const refused: string[] = [];
  void (async () => {
    for await (const { permissionContext } of nats.status())
      if (permissionContext) refused.push(`${permissionContext.operation} ${permissionContext.subject}`);
  })();
  return refused;
};

describe('without a reply address', () => {
  it('a write is carried out, and a read is dropped', async () => {
    const insert = account.subject(`datasets.${datasetId}.insert`);
    account.nats.publish(insert, JSON.stringify({ records: [{ text: 'silent' }] }));
    await until(async () => {
      const found = await space.owner.post(`/datasets/${datasetId}/data/count`, {});
      return found.body.data.count === 1;
    });
    account.nats.publish(account.subject('ping'));
    expect((await account.request('ping')).status).toBe(200);
  });
});

describe('a reply address', () => {
  it.each([
    () => `_INBOX.${other.id}.stolen`,
    () => `switchyard-out.v1.${other.id}.shop`,
    () => 'switchyard.v1.x.events.emit',
    () => `_INBOX.${account.id}`,
    () => `_INBOX.${account.id}.a.b.c.d.e.f.g.h.i`,
    () => `_INBOX.${account.id}.a b`.replace(' ', '$'),
  ])('outside of the own inbox (%#) is not used, and nothing is carried out', async (address) => {
    const received: string[] = [];
    const listening = other.nats.subscribe(`_INBOX.${other.id}.>`, {
      callback: (_, message) => received.push(message.subject),
    });
    await other.nats.flush();
    const before = await space.owner.post(`/datasets/${datasetId}/data/count`, {});
    account.nats.publish(
      account.subject(`datasets.${datasetId}.insert`),
      JSON.stringify({ records: [{ text: 'never' }] }),
      { reply: address() },
    );
    expect((await account.request('ping')).status).toBe(200);
    const after = await space.owner.post(`/datasets/${datasetId}/data/count`, {});
    expect([after.body.data.count, received]).toEqual([before.body.data.count, []]);
    listening.unsubscribe();
  });

  it('of others is a security event, once a minute', async () => {
    const events = await until(async () => {
      const { body } = await space.owner.get(`/spaces/${space.id}/security-events?action=nats.reply_refused`);
      return body.data.length > 0 && body.data;
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      action: 'nats.reply_refused',
      target: account.id,
      actor: { type: 'account', id: account.id },
    });
  });
});

describe('a NATS user', () => {
  it('hears and reaches nothing but its own subjects', async () => {
    const prober = await connectAs(platform.state.natsApiUrl, account);
    const refused = refusedBy(prober);
    const received: string[] = [];
    const foreign = ['>', '_INBOX.>', `_INBOX.${other.id}.>`, '$SYS.>', '$JS.>', 'switchyard.v1.>', 'switchyard-ack.>'];
    for (const subject of foreign)
      prober.subscribe(subject, { callback: (error, message) => error ?? received.push(message.subject) });
    const targets = [
      `switchyard.v1.${other.id}.ping`,
      `switchyard-out.v1.${other.id}.shop`,
      `switchyard-ack.v1.${other.id}.x`,
      `_INBOX.${other.id}.x`,
      '$SYS.REQ.SERVER.PING',
      '$JS.API.INFO',
      'svc.key.verify-key',
    ];
    for (const subject of targets) prober.publish(subject, '');
    await until(() => refused.length >= foreign.length + targets.length);
    expect((await other.request('ping')).status).toBe(200);
    expect(refused.sort()).toEqual(
      [...foreign.map((subject) => `subscription ${subject}`), ...targets.map((to) => `publish ${to}`)].sort(),
    );
    expect(received).toEqual([]);
  });

  it("is none of the platform's own server", async () => {
    await expect(connectOnce(platform.state.natsUrl, account.seed)).rejects.toMatchObject(REFUSED);
  });

  it('is gone after a revocation, and its requests are 401 before', async () => {
    const { account: ended } = await newAccount(platform, space);
    await space.owner.post(`/spaces/${space.id}/nats-accounts/${ended.id}/revoke`, {});
    const answers = new Set<number | string>();
    await until(async () => {
      const answer = await ended.request('ping', undefined, {}, 500).catch(() => null);
      if (answer) answers.add(answer.status);
      return answer === null || ended.nats.isClosed();
    });
    expect([...answers].filter((status) => status !== 401 && status !== 200)).toEqual([]);
    await expect(connectOnce(platform.state.natsApiUrl, ended.seed)).rejects.toMatchObject(REFUSED);
  });
});

describe('an answer', () => {
  it('that is a list ends at 768 KiB, and its cursor goes on', async () => {
    const text = 'x'.repeat(20_000);
    for (let n = 0; n < 5; n += 1)
      await space.owner.post(`/datasets/${datasetId}/data/insert`, {
        records: Array.from({ length: 20 }, () => ({ text })),
      });
    const operation = `datasets.${datasetId}.query`;
    const seen = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const answer = await account.request(operation, { limit: 100, ...(cursor ? { cursor } : {}) });
      expect(answer.status).toBe(200);
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(768 * 1024);
      for (const { id } of answer.body.data as { id: string }[]) seen.add(id);
      cursor = answer.body.page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined);
    expect([seen.size, pages > 2]).toEqual([101, true]);
  });

  it('in too many pieces at once is 429, and the next is served', async () => {
    const agent = await space.owner.post('/agents', { name: 'Slow', model: 'sim-chat', systemPrompt: 'Answer.' });
    const body = JSON.stringify({ stream: false, contents: [{ type: 'text', text: '@@delay 20\n@@tokens 100' }] });
    const inbox = account.inbox();
    const subscription = account.nats.subscribe(`${inbox}.*`, { max: 300 });
    for (let n = 0; n < 300; n += 1)
      account.nats.publish(account.subject(`agents.${agent.body.data.id}.chat`), body, { reply: `${inbox}.${n}` });
    const refused: string[] = [];
    for await (const message of subscription) {
      const { status, body: answer } = answerOf(message);
      if (status === 429 && /in flight/.test(answer.message as string)) refused.push(answer.code as string);
    }
    expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']));
    expect(refused.length).toBeGreaterThanOrEqual(44);
    expect((await account.request('ping')).status).toBe(200);
  });
});

describe('a flood', () => {
  it('removes the subscription for ten seconds, and affects no other account', async () => {
    const { account: flooding } = await newAccount(platform, await platform.newSpace());
    for (let n = 0; n < 6000; n += 1) flooding.nats.publish(flooding.subject(`nothing.${newId()}`));
    await until(async () => {
      const answer = await flooding
        .request('ping', undefined, {}, 500)
        .catch((error: unknown) => (error as { code?: string }).code);
      return answer === '503';
    });
    expect((await other.request('ping')).status).toBe(200);
    await until(async () => (await flooding.request('ping', undefined, {}, 500).catch(() => null))?.status === 200);
  });
});
