import { type TestPlatform, until } from '@switchyard/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { changesOf } from '../audit';
import { unexpectedEnds } from '../findings';
import type { JobFound, JobRow } from './job-invariants';
import type { JobOutcome, JobScene } from './job-load';

type Callback = JobFound['callbacks'][number];

/** Where callbacks arrive. Outgoing calls may reach this address in tests. */
export async function openEar(): Promise<{ url: string; heard: Callback[]; close: () => void }> {
  const received: Callback[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        type: string;
        data: { metadata: { name: string } };
      };
      received.push({
        webhookId: String(request.headers['webhook-id']),
        name: body.data.metadata.name,
        type: body.type,
      });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
  const url = `http://127.0.0.2:${(server.address() as AddressInfo).port}/`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, heard: received, close };
}

/**
 * Looks again and again how many jobs hold a place, until it is stopped. Those that go on after an answer do so at
 * once, beside the others. A job that has not waited has exactly its timeout between the two times, but for
 * microseconds: what is more is time that it waited for its user.
 */
export function watchBusiest(platform: TestPlatform, spaceId: string): () => Promise<number> {
  let busiest = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const rows = await platform.database
        .query<{ n: number }>(
          `select count(*)::int as n from job.jobs where space_id = $1 and phase in ('RUNNING', 'CANCELLING')
             and deadline_at < started_at + make_interval(secs => timeout_seconds + 0.001)`,
          [spaceId],
        )
        .catch(() => []);
      busiest = Math.max(busiest, rows[0]?.n ?? 0);
      await sleep(100);
    }
  })();
  return async () => {
    over.abort();
    await watching;
    return busiest;
  };
}

export async function untilJobsRest(platform: TestPlatform, { spaceId }: JobScene, timeoutMs: number): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await platform.database.query<{ waiting: number }>(
      `select (select count(*)::int from job.jobs where space_id = $1 and finished_at is null)
            + (select count(*)::int from job.callbacks where space_id = $1 and delivered_at is null and given_up_at is null)
            + (select count(*)::int from relay.accounts where space_id = $1 and reserved > 0) as waiting`,
      [spaceId],
    );
    return row?.waiting === 0;
  };
  await until(isQuiet, { timeoutMs, everyMs: 500 }).catch(() => undefined);
}

export async function collectJobs(
  platform: TestPlatform,
  { spaceId }: JobScene,
  received: { outcomes: readonly JobOutcome[]; callbacks: readonly Callback[]; busiest: number; limit: number },
): Promise<JobFound> {
  const { database } = platform;
  const jobs = await database.query<JobRow & Record<string, unknown>>(
    `select id, metadata->>'name' as name, phase, attempt, max_attempts as "maxAttempts", turns,
            exists (select 1 from job.lost_work l where l.id = jobs.id and l.losses >= 2)
              or (error->>'code' = 'RUNTIME_UNAVAILABLE' and error->>'message' like '%given up: the process that%ended twice%') as "isGivenUp"
       from job.jobs where space_id = $1`,
    [spaceId],
  );
  // By the job at the root of what led to them; the ledger knows the turn of a call, and not the job. A turn that was
  // answered acts for its user from then on: it is in the session that was opened for its job alone.
  const turns = await database.query<{ name: string; turnId: string }>(
    `select j.metadata->>'name' as name, t.turn_id as "turnId"
       from session.turns t
       join job.jobs j on j.space_id = t.space_id
         and (j.id::text = t.identity->'lineage'->>'root' or t.session_id::text = j.input->>'session_id')
      where t.space_id = $1`,
    [spaceId],
  );
  const [money] = await database.query<JobFound['ledger']>(
    `select (select count(*)::int from relay.ledger where space_id = $1 and type = 'SETTLEMENT') as debits,
            (select sum(tokens)::int from relay.ledger where space_id = $1) as sum, balance::int, reserved::int
       from relay.accounts where space_id = $1`,
    [spaceId],
  );
  const { calls } = (await (await fetch(`${platform.state.simulatorUrl}/calls`)).json()) as {
    calls: { text: string }[];
  };
  return {
    ...received,
    jobs,
    turns,
    ledger: money ?? { debits: 0, sum: 0, balance: 0, reserved: 0 },
    upstreamCalls: calls.filter(({ text }) => text.startsWith('turn-')).length,
    changes: await changesOf(platform, 'job.jobs'),
    unexpectedEnds: unexpectedEnds(platform.state.home),
  };
}
