import { createHash, randomUUID } from 'node:crypto';
import { type Client, TestPlatform, until } from '@switchyard/testing';
import { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { CpuPerOperation, cpuText, type Pids } from '../cpu';
import { atMost, type Comparison, latencyUs, type Pair, throughput, withoutTarget } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { processesOf } from '../shape';
import { SideProcess } from '../side-process';
import { duel } from './datasets';
import { type RecordsQuestion, recordsQuestions } from './datasets-http-questions';
import { batchOf, BENCH_FIELDS, createByHand, insertByHand } from './datasets-setup';

const ROWS = 100_000;
const TURNS = 200;
/** Before anything is measured: code that has not run often is slow, on either side. */
const WARM_UP = 5_000;
const WARM_UP_AT_ONCE = 8;
/** The first of them warms up. */
const CPU_ROUNDS = 4;
/** Times what the same request takes of a server that only serves records. */
const BARE_LIMIT = 1.5;
/** Times what the statement takes by itself. Judged only if it takes so long: the way to it is most of a short one. */
const BY_HAND_LIMIT = { ratio: 2.5, fromMs: 2 };

/** The same records behind the API and in a table written by hand. */
async function fill(owner: Client, pool: Pool, tenant: string): Promise<string> {
  const created = await owner.post('/datasets', { name: 'Bench', schema: { fields: BENCH_FIELDS } });
  const { id } = (created.body as { data: { id: string } }).data;
  const lines = batchOf(0, ROWS).map((record) => JSON.stringify(record));
  const sent = await owner.post(`/datasets/${id}/import`, Buffer.from(lines.join('\n')), {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  if (sent.status !== 202) throw new Error(`the import was answered with ${sent.status}`);
  await createByHand(pool, 'by_hand');
  for (let from = 0; from < ROWS; from += 1000) await insertByHand(pool, 'by_hand', batchOf(from, 1000));
  await until(
    async () => {
      const counted = await owner.post(`/datasets/${id}/data/count`, {});
      return (counted.body as { data: { count: number } }).data.count === ROWS;
    },
    { timeoutMs: 120_000 },
  );
  await fillByTenant(pool, tenant);
  await pool.query('vacuum analyze');
  return id;
}

/** The table by hand again, of a server with tenants: each index begins with the tenant where it can. */
async function fillByTenant(pool: Pool, tenant: string): Promise<void> {
  const columns = 'id, created_at, updated_at, title, body, category, price, quantity, at';
  await pool.query(`
    create table by_tenant (tenant uuid not null, like by_hand including defaults including generated, primary key (id));
    insert into by_tenant (tenant, ${columns}) select '${tenant}', ${columns} from by_hand;
    create index on by_tenant using gin (words);
    create index on by_tenant (tenant, id);
    create index on by_tenant (tenant, category, id);
    create index on by_tenant (tenant, price, id);
    create index on by_tenant (tenant, quantity, id);
    create index on by_tenant (tenant, at, id);`);
}

/** A plain HTTP client over kept connections: a test's own client would be half of what is measured. */
class Asker {
  private readonly connections: HttpPool;

  constructor(
    gatewayUrl: string,
    private readonly credential: string,
  ) {
    this.connections = new HttpPool(gatewayUrl, { connections: WARM_UP_AT_ONCE, pipelining: 1 });
  }

  readonly get = (path: string): Promise<unknown> => this.send('GET', path);

  readonly post = (path: string, body: object): Promise<unknown> => this.send('POST', path, JSON.stringify(body));

  private async send(method: 'GET' | 'POST', path: string, text?: string): Promise<unknown> {
    const { statusCode, body } = await this.connections.request({
      method,
      path,
      headers: { authorization: `Bearer ${this.credential}`, ...(text && { 'content-type': 'application/json' }) },
      body: text,
    });
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${await body.text()}`);
    return body.json();
  }

  close(): Promise<void> {
    return this.connections.destroy();
  }
}

type Side = () => Promise<unknown>;

interface Sides {
  ours: Asker;
  datasetPath: string;
  bare: Asker;
  pool: Pool;
}

/** The three sides of a question; each goes through its turns by itself. */
function sidesOf({ verb, body, sql, values }: RecordsQuestion, { ours, datasetPath, bare, pool }: Sides) {
  const turning = (ask: (turn: number) => Promise<unknown>): Side => {
    let turn = 0;
    return () => ask(turn++);
  };
  return {
    mine: turning((t) => ours.post(`${datasetPath}/data/${verb}`, body(t))),
    served: turning((t) => bare.post(`/records/${verb}`, body(t))),
    byHand: turning((t) => pool.query(sql, values(t))),
  };
}

async function cpuOf(side: Side, turns: number, pids: Pids): Promise<Record<string, number>> {
  const cpu = new CpuPerOperation(pids);
  for (let round = 0; round < CPU_ROUNDS; round += 1)
    await cpu.during(turns, async () => {
      for (let n = 0; n < turns; n += 1) await side();
    });
  return cpu.result();
}

/** How many records, or which count, an answer has. */
const sizeOf = (answer: unknown): number => {
  const { data } = answer as { data: unknown[] | { count: number } };
  return Array.isArray(data) ? data.length : data.count;
};

function againstSql(compared: Comparison): Measured {
  const { ratio, fromMs } = BY_HAND_LIMIT;
  return compared.theirs < fromMs ? withoutTarget(compared) : atMost(ratio, compared);
}

/** Queries as a caller sees them: through the gateway, with a key, beside a bare server of records and SQL by hand. */
export const datasetsHttp: BenchRow = {
  name: 'datasets-http',
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    const space = await new TestPlatform().newSpace();
    const pool = new Pool({ connectionString: state.databaseUrl, max: WARM_UP_AT_ONCE });
    const idleGateway = await startNoOpGateway(state, {});
    const { credential } = await space.key();
    const tenant = randomUUID();
    const bareServer = await SideProcess.start('bare-dataset', {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: state.databaseUrl,
      KEY_HASH: createHash('sha256').update(credential).digest('hex'),
      TENANT: tenant,
    });
    const ours = new Asker(state.url, credential);
    const floor = new Asker(idleGateway.ready, credential);
    const bare = new Asker(bareServer.ready, credential);
    try {
      const datasetPath = `/api/datasets/${await fill(space.owner, pool, tenant)}`;
      // The gateway's own part: the key, limits and an answer, without a service behind it.
      const askNothing = (): Promise<unknown> => floor.get('/api/bench/no-op');
      report(`${ROWS} records on each side`);
      await throughput(WARM_UP, WARM_UP_AT_ONCE, askNothing);
      const floorMs = (await latencyUs(TURNS, askNothing)) / 1000;
      report(`a request that asks for nothing: ${floorMs.toFixed(2)} ms`);
      idleGateway.stop();
      const pids = processesOf(state, ['gateway', 'dataset', 'postgres', 'nats']);
      const barePids = { fastify: bareServer.pid, postgres: state.pids['postgres'] };
      const measured: Measured[] = [];
      for (const question of recordsQuestions(ROWS)) {
        const { what, warmUp = WARM_UP, turns = TURNS } = question;
        const { mine, served, byHand } = sidesOf(question, { ours, datasetPath, bare, pool });
        const sizes = [sizeOf(await mine()), sizeOf(await served())];
        if (sizes[0] !== sizes[1]) throw new Error(`${what}: the sides answer with ${sizes.join(' and ')}`);
        for (const side of [mine, served, byHand]) await throughput(warmUp, WARM_UP_AT_ONCE, side);
        const [toBare, toSql] = [await duel(mine, served, turns), await duel(mine, byHand, turns)];
        const cpu = await cpuOf(mine, turns, pids);
        const row = (baseline: string, pair: Pair): Comparison => ({
          ...{ what: `${what}, over HTTP`, beside: baseline, unit: 'ms', cpu },
          ...pair,
        });
        measured.push(
          atMost(BARE_LIMIT, row('bare Fastify with pg, same checks', toBare)),
          againstSql(row('SQL by hand, same Postgres', toSql)),
        );
        report(`${what}: ${cpuText(cpu)}; bare Fastify ${cpuText(await cpuOf(served, turns, barePids))}`);
      }
      return measured;
    } finally {
      await Promise.all([ours, floor, bare].map((each) => each.close()));
      idleGateway.stop();
      bareServer.stop();
      await pool.query('drop table if exists by_hand, by_tenant');
      await pool.end();
    }
  },
};
