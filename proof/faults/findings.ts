import { type TestPlatform, until } from '@switchyard/testing';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { changesOf } from './audit';
import type { LoggedOperation } from './history';
import type { DeliveryRow, EmissionRow, ExecutionRow, RunRecords } from './invariants';
import type { Scene } from './scene';

interface UnfinishedCounts {
  emissions: number;
  deliveries: number;
  executions: number;
  outbox: number;
}

async function waitingIn(platform: TestPlatform, spaceId: string): Promise<UnfinishedCounts> {
  const [row] = await platform.database.query<{
    emissions: number;
    deliveries: number;
    executions: number;
    outbox: number;
  }>(
    `select (select count(*)::int from event_bus.emissions where space_id = $1 and status = 'PENDING') as emissions,
            (select count(*)::int from event_bus.deliveries where space_id = $1 and status = 'PENDING') as deliveries,
            (select count(*)::int from task.executions where space_id = $1 and status in ('QUEUED', 'RUNNING')) as executions,
            (select count(*)::int from event_bus.outbox) + (select count(*)::int from task.outbox) as outbox`,
    [spaceId],
  );
  return row ?? { emissions: -1, deliveries: -1, executions: -1, outbox: -1 };
}

/** Waits until nothing is under way, or until it has lasted too long: then the rules will say what still waits. */
export async function untilQuiet(
  platform: TestPlatform,
  { space }: Scene,
  timeoutMs: number,
  print: (line: string) => void,
): Promise<number> {
  const startedAt = Date.now();
  let text = '';
  const isQuiet = async (): Promise<boolean> => {
    const waiting = await waitingIn(platform, space.id);
    const line = Object.entries(waiting)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
    if (line !== text) print(`  waiting: ${line}`);
    text = line;
    return Object.values(waiting).every((count) => count === 0);
  };
  await until(isQuiet, { timeoutMs, everyMs: 2000 }).catch(() => undefined);
  return Date.now() - startedAt;
}

export async function collect(
  platform: TestPlatform,
  { space, subscriptions }: Scene,
  operations: readonly LoggedOperation[],
): Promise<RunRecords> {
  const { database } = platform;
  const emissions = await database.query<EmissionRow & { payload: Record<string, unknown> }>(
    `select id, 'k-' || (payload->>'n') as key, status, matched_subscriptions as matched, replays, payload from event_bus.emissions where space_id = $1`,
    [space.id],
  );
  const deliveries = await database.query<DeliveryRow & Record<string, unknown>>(
    `select id, envelope_id as "envelopeId", subscription_id as "subscriptionId", replay, status, execution_id as "executionId"
       from event_bus.deliveries where space_id = $1`,
    [space.id],
  );
  const executions = await database.query<ExecutionRow & Record<string, unknown>>(
    `select x.id, x.task_id as "taskId", x.causation_id as "envelopeId", count(s.step_id)::int as steps,
            case when x.status = 'FAILED' and exists (select 1 from task.lost_work l where l.id = x.id and l.losses >= 2)
              then 'GIVEN_UP' else x.status end as status
       from task.executions x left join task.execution_steps s on s.space_id = x.space_id and s.execution_id = x.id
      where x.space_id = $1 group by x.space_id, x.id`,
    [space.id],
  );
  const { outbox } = await waitingIn(platform, space.id);
  return {
    operations,
    emissions,
    deliveries,
    executions,
    subscriptions,
    outboxRows: outbox,
    changes: await changesOf(platform, 'task.executions'),
    unexpectedEnds: unexpectedEnds(platform.state.home),
  };
}

const ENDINGS = /an unhandled rejection|an uncaught exception|did not start/;

export function unexpectedEnds(home: string): string[] {
  const logs = path.join(home, 'logs');
  return readdirSync(logs).flatMap((file) =>
    readFileSync(path.join(logs, file), 'utf8')
      .split('\n')
      .filter((line) => ENDINGS.test(line))
      .map((line) => `${file}: ${line.slice(0, 300)}`),
  );
}
