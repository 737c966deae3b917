import { type Client, TestPlatform, until } from '@switchyard/testing';
import { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { CpuPerOperation, cpuText } from '../cpu';
import { atMost, latencyUs, throughput } from '../measure';
import { startNoOpGateway } from '../no-op-side';
import type { BenchContext, BenchRow, Measured } from '../row';
import { processesOf } from '../shape';
import { duel } from './datasets';
import { batchOf, BENCH_FIELDS, createByHand, insertByHand } from './datasets-setup';

const ROWS = 100_000;
const TURNS = 200;
/** Before anything is measured: code that has not run often is slow, on either side. */
const WARM_UP = 5_000;
const WARM_UP_AT_ONCE = 8;
/** The first of them warms up. */
const CPU_ROUNDS = 4;
const COLUMNS = 'id, created_at, updated_at, title, body, category, price, quantity, at';

/** The same records behind the API and in a table written by hand. */
async function fill(owner: Client, pool: Pool): Promise<string> {
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
  await pool.query('vacuum analyze');
  return id;
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

/** Queries as a caller sees them: through the gateway, with a key, beside SQL by hand. */
export const datasetsHttp: BenchRow = {
  name: 'datasets-http',
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    const space = await new TestPlatform().newSpace();
    const pool = new Pool({ connectionString: state.databaseUrl, max: WARM_UP_AT_ONCE });
    const idleGateway = await startNoOpGateway(state, {});
    const { credential } = await space.key();
    const asker = new Asker(state.url, credential);
    const floor = new Asker(idleGateway.ready, credential);
    try {
      const id = await fill(space.owner, pool);
      const ask: Ask = (verb, body) => asker.post(`/api/datasets/${id}/data/${verb}`, body);
      // The gateway's own part: the key, limits and an answer, without a service behind it.
      const askNothing = (): Promise<unknown> => floor.get('/api/bench/no-op');
      report(`${ROWS} records on both sides`);
      await throughput(WARM_UP, WARM_UP_AT_ONCE, askNothing);
      const floorMs = (await latencyUs(TURNS, askNothing)) / 1000;
      report(`a request that asks for nothing: ${floorMs.toFixed(2)} ms`);
      idleGateway.stop();
      const pids = processesOf(state, ['gateway', 'dataset', 'postgres', 'nats']);
      const measured: Measured[] = [];
      for (const { what, warmUp = WARM_UP, ours, theirs } of questions(ask, pool)) {
        let turn = 0;
        const mine = (): Promise<unknown> => ours(turn++);
        let other = 0;
        const byHand = (): Promise<unknown> => theirs(other++);
        for (const side of [mine, byHand]) await throughput(warmUp, WARM_UP_AT_ONCE, side);
        const pair = await duel(mine, byHand, TURNS);
        const cpu = new CpuPerOperation(pids);
        for (let round = 0; round < CPU_ROUNDS; round += 1)
          await cpu.during(TURNS, async () => {
            for (let n = 0; n < TURNS; n += 1) await mine();
          });
        measured.push(
          atMost(2.5, {
            what: `${what}, over HTTP`,
            beside: 'SQL by hand, same Postgres',
            unit: 'ms',
            cpu: cpu.result(),
            ...pair,
          }),
        );
        report(`${what}: ${cpuText(cpu.result())}`);
      }
      return measured;
    } finally {
      await Promise.all([asker, floor].map((each) => each.close()));
      idleGateway.stop();
      await pool.query('drop table if exists by_hand');
      await pool.end();
    }
  },
};

type Ask = (verb: string, body: object) => Promise<unknown>;

interface ComparedRequest {
  what: string;
  /** Where the answer itself takes milliseconds. */
  warmUp?: number;
  ours: (turn: number) => Promise<unknown>;
  theirs: (turn: number) => Promise<unknown>;
}

function questions(ask: Ask, pool: Pool): ComparedRequest[] {
  return [
    {
      what: 'equality, page of 50',
      ours: (t) => ask('query', { filter: { category: `category-${t % 50}` }, sort: [{ field: 'category' }] }),
      theirs: (t) =>
        pool.query(`select ${COLUMNS} from by_hand where category = $1 order by category, id limit 51`, [
          `category-${t % 50}`,
        ]),
    },
    {
      what: 'newest 50',
      ours: () => ask('query', {}),
      theirs: () => pool.query(`select ${COLUMNS} from by_hand order by id desc limit 51`),
    },
    {
      what: 'exact count of a quarter',
      warmUp: 1_000,
      ours: () => ask('count', { filter: { quantity: { lt: 250 } } }),
      theirs: () => pool.query('select count(*) from by_hand where quantity < $1', [250]),
    },
    {
      what: 'full text, rare word, ranked',
      ours: (t) => ask('full-text-search', { query: `serial${(t * 37) % ROWS}` }),
      theirs: (t) =>
        pool.query(
          `select ${COLUMNS}, ts_rank(words, q) as rank from by_hand, websearch_to_tsquery('english', $1) q
           where words @@ q order by rank desc, id desc limit 51`,
          [`serial${(t * 37) % ROWS}`],
        ),
    },
  ];
}
