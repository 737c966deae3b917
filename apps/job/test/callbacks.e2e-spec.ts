import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@switchyard/kernel';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { Webhook } from 'standardwebhooks';
import { JobActions } from './job-actions';
import { Listener } from './listener';

const platform = usePlatform();
let space: TestSpace;
let jobs: JobActions;
let secret: string;
beforeAll(async () => {
  space = await platform.newSpace();
  jobs = await JobActions.open(space);
  secret = (await space.owner.get(`/spaces/${space.id}`)).body.data.webhookSecret;
});

const verified = (received: { headers: Listener['received'][number]['headers']; body: string }) =>
  new Webhook(secret).verify(received.body, received.headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };

describe('a callback', () => {
  it('comes once for the end of a job, signed', async () => {
    const listener = await Listener.open();
    const { id } = await jobs.submit('Hi', { callbackUrl: listener.url });
    const done = await jobs.reaches(id, 'SUCCEEDED');
    const first = await until(() => listener.received[0]);
    expect(verified(first)).toEqual({ type: 'agent_job.succeeded', timestamp: done.finishedAt, data: done });
    const tampered = { headers: first.headers, body: first.body.replace('succeeded', 'failed') };
    expect(() => verified(tampered)).toThrow();
    await until(
      async () =>
        (
          await platform.database.query('select 1 from job.callbacks where job_id = $1 and delivered_at is not null', [
            id,
          ])
        ).length === 1,
    );
    expect(listener.received).toHaveLength(1);
    expect((await space.owner.get(`/agent-jobs/${id}/callback`)).body.data).toMatchObject({
      url: listener.url,
      status: 'DELIVERED',
      attempts: 1,
      lastResult: '200',
      nextAttemptAt: null,
    });
    const stranger = await space.member('MEMBER');
    expect((await stranger.get(`/agent-jobs/${id}/callback`)).status).toBe(404);
    const { id: without } = await jobs.submit('Hi');
    expect((await space.owner.get(`/agent-jobs/${without}/callback`)).status).toBe(404);
    listener.close();
  });

  it('tells of a cancellation and of a timeout too', async () => {
    const listener = await Listener.open();
    const slow = '@@delay 100\n@@tokens 400';
    const cancelled = await jobs.submit(slow, { callbackUrl: listener.url });
    await jobs.reaches(cancelled.id, 'RUNNING');
    const waiting = (await space.owner.get(`/agent-jobs/${cancelled.id}/callback`)).body.data;
    expect(waiting).toMatchObject({ status: 'WAITING', attempts: 0, finishedAt: null });
    await space.owner.post(`/agent-jobs/${cancelled.id}/cancel`, {});
    await jobs.submit(slow, { callbackUrl: listener.url, timeoutSeconds: 1 });
    await until(() => listener.received.length === 2, { timeoutMs: 60_000 });
    expect(listener.received.map((received) => verified(received).type).sort()).toEqual([
      'agent_job.cancelled',
      'agent_job.timed_out',
    ]);
    listener.close();
  });

  it('is sent again until it is heard, under the same id', async () => {
    const listener = await Listener.open((count) => (count < 2 ? 500 : 204));
    await jobs.submit('Hi', { callbackUrl: listener.url });
    await until(() => listener.received.length === 2, { timeoutMs: 60_000 });
    expect(new Set(listener.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    listener.received.forEach(verified);
    listener.close();
  });

  it('waits as long as the receiver says, a day at most', async () => {
    const server = createServer((request, response) => {
      request.resume();
      // More than anybody reads of an answer.
      response.writeHead(503, { 'retry-after': '3600' }).end('x'.repeat(200_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const callbackUrl = `http://127.0.0.2:${(server.address() as AddressInfo).port}/hook`;
    const { id } = await jobs.submit('Hi', { callbackUrl });
    const waitSeconds = await until(async () => {
      const [row] = await platform.database.query<{ wait: string }>(
        `select extract(epoch from due_at - created_at) as wait from job.callbacks where job_id = $1 and last_result = '503'`,
        [id],
      );
      return Number(row?.wait);
    });
    expect(waitSeconds).toBeGreaterThanOrEqual(3_600);
    expect((await space.owner.get(`/agent-jobs/${id}/callback`)).body.data).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      lastResult: '503',
    });
    server.closeAllConnections();
    server.close();
  });

  it('never reaches an address that is not public, nor one that it is sent on to', async () => {
    const inner = await Listener.open(() => 200, '127.0.0.1');
    const port = new URL(inner.url).port;
    const { id } = await jobs.submit('Hi', { callbackUrl: `http://localhost:${port}/` });
    await jobs.reaches(id, 'SUCCEEDED');
    const row = await until(async () => {
      const rows = await platform.database.query<{ last_result: string }>(
        'select last_result from job.callbacks where job_id = $1 and given_up_at is not null',
        [id],
      );
      return rows[0];
    });
    expect(row.last_result).toBe('VALIDATION_ERROR');
    const { status, lastResult } = (await space.owner.get(`/agent-jobs/${id}/callback`)).body.data;
    expect({ status, lastResult }).toEqual({ status: 'GIVEN_UP', lastResult: 'VALIDATION_ERROR' });
    expect(inner.received).toHaveLength(0);
    inner.close();
  });
});

describe('callbacks to an address that does not answer', () => {
  it('leave places for those of other Spaces', async () => {
    let open = 0;
    const silent = createServer((request) => {
      open += 1;
      request.on('close', () => (open -= 1));
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.2', resolve));
    const callbackUrl = `http://127.0.0.2:${(silent.address() as AddressInfo).port}/hook`;
    const busy = await JobActions.open(await platform.newSpace());
    await Promise.all(Array.from({ length: 14 }, () => busy.submit('Hi', { callbackUrl })));
    // Its share of the sixteen places.
    await until(() => open === 10, { timeoutMs: 60_000 });
    const listener = await Listener.open();
    await jobs.submit('Hi', { callbackUrl: listener.url });
    await until(() => listener.received.length === 1);
    expect(open).toBe(10);
    listener.close();
    silent.closeAllConnections();
    silent.close();
  });

  it('have one share for all Spaces of a payer', async () => {
    let open = 0;
    const silent = createServer((request) => {
      open += 1;
      request.on('close', () => (open -= 1));
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.2', resolve));
    const callbackUrl = `http://127.0.0.2:${(silent.address() as AddressInfo).port}/hook`;
    const spaces = await Promise.all([platform.newSpace(), platform.newSpace()]);
    await platform.database.query(`update key.spaces set payer_kind = 'user', payer_id = $2 where id = any($1)`, [
      spaces.map(({ id }) => id),
      newId(),
    ]);
    const busy = await Promise.all(spaces.map((own) => JobActions.open(own)));
    await Promise.all(busy.flatMap((own) => Array.from({ length: 14 }, () => own.submit('Hi', { callbackUrl }))));
    const due = () =>
      platform.database.query('select 1 from job.callbacks where url = $1 and due_at < clock_timestamp()', [
        callbackUrl,
      ]);
    await until(async () => open >= 10 && (await due()).length === 28 - open, { timeoutMs: 60_000 });
    const listener = await Listener.open();
    await jobs.submit('Hi', { callbackUrl: listener.url });
    await until(() => listener.received.length === 1);
    expect(open).toBe(10);
    listener.close();
    silent.closeAllConnections();
    silent.close();
  });
});
