import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply, type TestPlatform, type TestSpace, until } from '@switchyard/testing';
import {
  type InstalledApplication,
  dataOf,
  emission,
  eventTask,
  install,
} from '../../../apps/event-bus/test/an-application';
import { subscribe } from '../../../apps/event-bus/test/watching';

/** A credential has so many requests a minute. */
const PAUSE_MS = 500;
const PATIENCE = { timeoutMs: 180_000, everyMs: 500 };

type ReplyData = Record<string, unknown>;
const fieldsIn = ({ body }: Reply): ReplyData => (body as { data?: ReplyData }).data ?? {};
const fieldsOf = (reply: Reply, status: number): ReplyData => dataOf(reply, status) as ReplyData;

export interface LoadOptions {
  /** A service without a second replica answers 503 while it restarts: the same request is sent again. */
  oneReplica?: boolean;
}

interface LoadParts {
  space: TestSpace;
  installed: InstalledApplication;
  ids: { agent: string; dataset: string; task: string; secret: string };
  options: LoadOptions;
}

/** Work of a Space through all gateways, as behind a load balancer: one that does not accept a connection is passed by. */
export class RotationLoad {
  /** Addresses of the gateways. */
  readonly hosts = new Set<string>();
  readonly wrong: unknown[] = [];
  private readonly rounds: Record<string, number> = {};
  private readonly codes: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private emitted = 0;
  private requests = 0;
  private isOver = false;
  private isApplicationKeyDue = false;

  /** Requests that were answered 503, or not at all, and were sent again. */
  interrupted = 0;
  served = 0;
  private readonly space: TestSpace;
  private readonly installed: InstalledApplication;
  private readonly ids: LoadParts['ids'];
  private readonly options: LoadOptions;

  private constructor(
    { space, installed, ids, options }: LoadParts,
    /** A long-lived API key. */
    private key: Client,
  ) {
    this.space = space;
    this.installed = installed;
    this.ids = ids;
    this.options = options;
  }

  static async start(
    platform: Pick<TestPlatform, 'url' | 'newSpace'>,
    options: LoadOptions = {},
  ): Promise<RotationLoad> {
    const space = await platform.newSpace();
    const idOf = async (path: string, body: object): Promise<string> =>
      String(fieldsOf(await space.owner.post(path, body), 201)['id']);
    const installed = await install(space);
    const ids = {
      agent: await idOf('/agents', { name: 'Rotation', model: 'sim-chat', systemPrompt: 'Be brief.' }),
      dataset: await idOf('/datasets', {
        name: 'Rotation',
        schema: { fields: [{ name: 'code', type: 'string', unique: true }] },
      }),
      task: await eventTask(space),
      secret: await idOf('/secrets', { name: 'ROTATION', value: 'value-0' }),
    };
    await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId: ids.task });
    const load = new RotationLoad({ space, installed, ids, options }, await space.key());
    load.hosts.add(platform.url);
    for (const [what, work] of Object.entries(await load.work())) load.loops.push(load.repeat(what, work));
    return load;
  }

  /** Until each kind of request has been served several times more. */
  async more(): Promise<void> {
    const before = { ...this.rounds };
    await until(
      () => Object.keys(before).every((what) => (this.rounds[what] ?? 0) > (before[what] ?? 0) + 3),
      PATIENCE,
    );
  }

  /** Rotates the long-lived keys, as docs/operate/secrets.md demands before the last step of the peppers. */
  async rotateKeys(): Promise<void> {
    const { keyId = '' } = this.key.identity;
    const reply = await this.space.owner.post(`/api-keys/${keyId}/rotate`, { graceSeconds: 60 });
    this.key = this.space.owner.as(`Bearer ${String(fieldsOf(reply, 200)['key'])}`, this.key.identity);
    // The old key of an application ends at once, so its work pauses.
    this.isApplicationKeyDue = true;
    await until(() => !this.isApplicationKeyDue, PATIENCE);
  }

  /** Stops, and compares what was acknowledged with what is there. */
  async finish(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
    const { owner } = this.space;
    const { count } = fieldsOf(await owner.post(`/datasets/${this.ids.dataset}/data/count`, {}), 200);
    if (count !== this.codes.length) this.wrong.push(['records', count, this.codes.length]);
  }

  get executions(): { spaceId: string; taskId: string; emitted: number } {
    return { spaceId: this.space.id, taskId: this.ids.task, emitted: this.emitted };
  }

  private async work(): Promise<Record<string, () => Promise<void>>> {
    const { space, ids, installed } = this;
    // A credential of its own for each kind of work.
    const [writer, caller, keeper, maker, guest] = await Promise.all([
      space.member('ADMIN'),
      space.member('ADMIN'),
      space.member('ADMIN'),
      space.member('ADMIN'),
      space.member(),
    ]);
    return {
      record: async () => {
        const code = `code-${this.codes.length}`;
        const body = { records: [{ code }] };
        await this.send('record', 200, writer, (by, options) =>
          by.post(`/datasets/${ids.dataset}/data/insert`, body, options),
        );
        this.codes.push(code);
      },
      turn: async () => {
        const body = { contents: [{ type: 'text', text: '@@reply It works.' }], stream: false };
        const reply = await this.send('turn', 200, caller, (by, options) =>
          by.post(`/agents/${ids.agent}/chat`, body, options),
        );
        if (fieldsIn(reply)['status'] !== 'COMPLETED') this.wrong.push(['turn', reply.body]);
      },
      event: async () => {
        if (this.isApplicationKeyDue) {
          const path = `/applications/${installed.id}/rotate-key`;
          const reply = await this.send('application key', 200, space.owner, (by) => by.post(path, {}));
          installed.app = space.owner.as(`Bearer ${String(fieldsIn(reply)['systemApiKey'])}`);
          this.isApplicationKeyDue = false;
        }
        await this.send('event', 202, installed.app, (by, options) =>
          by.post('/events/emit', emission(installed), options),
        );
        this.emitted += 1;
      },
      secret: async () => {
        const value = `value-${this.requests}`;
        await this.send('secret', 200, keeper, (by, options) => by.put(`/secrets/${ids.secret}`, { value }, options));
      },
      'new key': async () => {
        const made = await this.send('new key', 201, maker, (by, options) =>
          by.post('/api-keys', { name: 'rotation' }, options),
        );
        // The next request may meet another replica.
        const key = maker.as(`Bearer ${String(fieldsIn(made)['key'])}`);
        await this.send('use of a new key', 200, key, (by) => by.get('/datasets'));
        const { id } = fieldsIn(made);
        await this.send('revoke', 200, maker, (by, options) => by.post(`/api-keys/${String(id)}/revoke`, {}, options));
      },
      'old key': async () => {
        await this.send('old key', 200, this.key, (by) => by.get('/datasets'));
      },
      'sign in': async () => {
        const { email = '', password = '' } = guest.identity;
        const login = { email, password, spaceId: space.id };
        const reply = await this.send('sign in', 200, guest.as(null), (by) => by.post('/auth/login', login));
        const { refreshToken } = fieldsIn(reply);
        const renewed = await this.send('refresh', 200, guest.as(null), (by) =>
          by.post('/auth/refresh', { refreshToken }),
        );
        // Another gateway may verify it than the one that has passed it on.
        const token = guest.as(`Bearer ${String(fieldsIn(renewed)['accessToken'])}`);
        await this.send('access token', 200, token, (by) => by.get('/auth/me'));
      },
    };
  }

  private async repeat(what: string, work: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      await work().catch((error: unknown) => this.wrong.push([what, String(error)]));
      this.rounds[what] = (this.rounds[what] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  }

  /** Sends the same request to the next gateway if the connection breaks without an answer. */
  private async send(
    what: string,
    status: number,
    by: Client,
    request: (at: Client, options: { headers: Record<string, string> }) => Promise<Reply>,
  ): Promise<Reply> {
    this.requests += 1;
    const options = { headers: { 'idempotency-key': `rotation-${this.requests}` } };
    let at = this.requests;
    const reply = await until(async () => {
      const hosts = [...this.hosts];
      at += 1;
      const next = new Client(hosts[at % hosts.length] ?? '', by.authorization, by.identity);
      const sent = await request(next, options).catch((error: unknown) => {
        this.interrupted += 1;
        throw error;
      });
      if (sent.status !== 503 || this.options.oneReplica !== true) return sent;
      this.interrupted += 1;
      throw new Error(`503: ${JSON.stringify(sent.body)}`);
    }, PATIENCE);
    this.served += 1;
    if (reply.status !== status) this.wrong.push([what, new Date().toISOString(), reply.status, reply.body]);
    return reply;
  }
}
