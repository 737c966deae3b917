import { type Client, type Reply, type TestPlatform, until } from '@switchyard/testing';
import { changes, inParallel, takenBy } from './figures';
import type { ScaleReport } from './scale-report';

const WORKERS = 12;
const REPORT_EVERY = 1_000;
const RUN_WITHIN_MS = 600_000;
const TASK = { name: 'One', type: 'MANUAL', active: true, steps: [{ id: 'one', type: 'transform', with: { n: 1 } }] };

const dataOf = (reply: Reply, status: number): Record<string, string> => {
  if (reply.status !== status) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return (reply.body as { data: Record<string, string> }).data;
};

/** Very many Spaces, of which each has one execution to run, all at once. */
export async function runSpaces(
  platform: TestPlatform,
  count: number,
  print: (line: string) => void,
): Promise<ScaleReport> {
  const owner = await platform.owner();
  const before = await takenBy(platform);
  const from = Date.now();
  const seconds = (): number => Math.round((Date.now() - from) / 1000);
  const tenants: { client: Client; taskId: string }[] = [];
  await inParallel(count, WORKERS, async (n) => {
    const spaceId = dataOf(await owner.post('/spaces', { name: `Scale ${n}` }), 201)['id'];
    const { accessToken } = dataOf(await owner.post('/auth/switch-space', { spaceId }), 200);
    const client = owner.as(`Bearer ${accessToken}`);
    tenants.push({ client, taskId: dataOf(await client.post('/tasks', TASK), 201)['id'] ?? '' });
    if (tenants.length % REPORT_EVERY === 0) print(`${tenants.length} Spaces in ${seconds()} s`);
  });
  const madeIn = seconds();
  const startedAt = Date.now();
  let submitted = 0;
  await inParallel(count, WORKERS, async (n) => {
    const tenant = tenants[n - 1];
    if (!tenant) return;
    dataOf(await tenant.client.post(`/tasks/${tenant.taskId}/execute`, {}), 202);
    submitted += 1;
  });
  const submittedIn = Math.round((Date.now() - startedAt) / 1000);
  const rest = async (): Promise<number> => {
    const sql = `select count(*)::int as n from task.executions where status in ('QUEUED', 'RUNNING')`;
    const [row] = await platform.database.query<{ n: number }>(sql);
    return row?.n ?? 0;
  };
  const broken: string[] = [];
  await until(async () => (await rest()) === 0, { timeoutMs: RUN_WITHIN_MS, everyMs: 200 }).catch(async () => {
    broken.push(`${await rest()} executions still wait after ${RUN_WITHIN_MS / 1000} s`);
  });
  const ranIn = Math.round((Date.now() - startedAt) / 1000);
  const [lag] = await platform.database.query<{ p95: number; most: number }>(`
    select round(1000 * percentile_cont(0.95) within group (order by extract(epoch from finished_at - created_at)))::int as p95,
           round(1000 * max(extract(epoch from finished_at - created_at)))::int as most
      from task.executions`);
  return {
    name: 'spaces',
    count,
    figures: {
      'seconds to make them': madeIn,
      'seconds to submit one execution each': submittedIn,
      'seconds until all had run': ranIn,
      submitted,
      'submitted to ended, p95 ms': lag?.p95 ?? 0,
      'submitted to ended, longest ms': lag?.most ?? 0,
      ...changes(before, await takenBy(platform)),
    },
    broken,
  };
}
