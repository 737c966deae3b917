import { until } from '@switchyard/testing';
import { type ExecutionsGround, prepareExecutions } from './executions-ground';

const EXECUTIONS = 1_000_000;
const SESSIONS = 10_000;
const RECORDS = 100_000;
const DAYS = 30;
const FIELDS = [
  { name: 'number', type: 'integer', indexed: true },
  { name: 'title', type: 'string' },
  { name: 'price', type: 'decimal' },
  { name: 'live', type: 'boolean' },
  { name: 'changed', type: 'datetime' },
];

export interface ConsoleGround extends ExecutionsGround {
  datasetId: string;
}

/** A Space as large as one grows in a year: what the console is opened on. */
export async function prepareConsole(report: (line: string) => void): Promise<ConsoleGround> {
  const ground = await prepareExecutions(EXECUTIONS, 1, report);
  await fillSessions(ground);
  report(`${SESSIONS} sessions`);
  const datasetId = await fillDataset(ground);
  report(`${RECORDS} records`);
  return { ...ground, datasetId };
}

async function fillSessions({ platform, space, userId }: ExecutionsGround): Promise<void> {
  await platform.database.query(
    `insert into session.sessions (space_id, id, user_id, title, message_count, created_at, updated_at, last_message_at)
     select $1, gen_random_uuid(), $2, 'Chat ' || n, 2, at, at, at
       from (select n, now() - make_interval(secs => ${DAYS * 86_400}::float8 * n / $3) as at from generate_series(1, $3::int) n) made`,
    [space.id, userId, SESSIONS],
  );
  await platform.database.query('vacuum (analyze) session.sessions');
}

/** Through the API, as everybody's records come. */
async function fillDataset({ space }: ExecutionsGround): Promise<string> {
  const made = await space.owner.post('/datasets', { name: 'Articles', schema: { fields: FIELDS } });
  const { id } = (made.body as { data: { id: string } }).data;
  const lines = Array.from(
    { length: RECORDS },
    (_, n) => `${n},Article ${n} of many,${n % 1000}.50,${n % 2 === 0},2026-01-31T08:00:00Z`,
  );
  const file = `number,title,price,live,changed\n${lines.join('\n')}\n`;
  const sent = await space.owner.raw('POST', `/api/datasets/${id}/import`, file, {
    headers: { 'content-type': 'text/csv' },
  });
  if (sent.status !== 202) throw new Error(`The import was refused: ${sent.status} ${JSON.stringify(sent.body)}`);
  await until(
    async () => {
      const counted = await space.owner.post(`/datasets/${id}/data/count`, {});
      return (counted.body as { data: { count: number } }).data.count === RECORDS || undefined;
    },
    { timeoutMs: 300_000, everyMs: 500 },
  );
  return id;
}
