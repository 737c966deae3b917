import { Injectable } from '@nestjs/common';
import type { NamedUser } from '@switchyard/contracts';
import type { PageWindow, TimePosition, Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import type { EndpointRow, NewEndpoint } from '../domain/endpoint-record';
import { endpoints, subscriptions } from './tables';

/** Most endpoints of a Space. */
const MAX_ENDPOINTS = 100;
/** Tests of one endpoint in a minute. */
const MAX_TESTS = 10;
const SECRET_USERS_NAMED = 100;
/** Failures for this long, without a success, disable an endpoint. */
const FAILING_MAX = `interval '5 days'`;

/** Without a subscriber: waits of 5, 10, 20 and 40 seconds, then of 60. */
const FIRST_WAIT_MS = 5_000;
const WAITS = 'least(60, 5 * 2 ^ least(tries, 4))';

/** Changes of its settings, by users. Its health changes with its deliveries. */
export type EndpointChange = Partial<
  Pick<EndpointRow, 'url' | 'headers' | 'secretNames' | 'inFlight' | 'ackSeconds' | 'active'>
>;

@Injectable()
export class EndpointsRepository {
  find(tx: Tx, spaceId: string, id: string): Promise<EndpointRow | null> {
    return tx.rows(endpoints).find({ spaceId, id });
  }

  findLocked(tx: Tx, spaceId: string, id: string): Promise<EndpointRow | null> {
    return tx.rows(endpoints).lockForChange({ spaceId, id });
  }

  list(tx: Tx, spaceId: string, window: PageWindow<TimePosition>): Promise<EndpointRow[]> {
    return tx.rows(endpoints).listByTime({ spaceId }, window);
  }

  /** Creations of a Space run one after the other, so that none passes the limit. */
  async add(tx: Tx, spaceId: string, endpoint: NewEndpoint): Promise<EndpointRow> {
    await tx.run(`select pg_advisory_xact_lock(hashtextextended($1, 27))`, [spaceId]);
    const found = await tx.one<{ all: number; same: number }>(
      `select count(*)::int as all, (count(*) filter (where name = $2))::int as same from endpoints where space_id = $1`,
      [spaceId, endpoint.name],
    );
    if ((found?.same ?? 0) > 0)
      throw new AppError('CONFLICT', `The Space has an endpoint called ${endpoint.name} already.`);
    if ((found?.all ?? 0) >= MAX_ENDPOINTS)
      throw new AppError(
        'CONFLICT',
        `The Space has ${MAX_ENDPOINTS} endpoints; no more are allowed. Delete one first.`,
        { limit: { limit: 'endpoints', value: MAX_ENDPOINTS, until: null } },
      );
    return tx.rows(endpoints).insert({ spaceId, ...endpoint });
  }

  change(tx: Tx, spaceId: string, id: string, change: EndpointChange): Promise<EndpointRow | null> {
    return tx.rows(endpoints).save({ spaceId, id }, change);
  }

  /** The former secret signs too until the grace is over. */
  rotate(
    tx: Tx,
    { spaceId, id, secret }: EndpointRow,
    next: { secret: string; graceSeconds: number },
  ): Promise<EndpointRow | null> {
    const until = `clock_timestamp() + make_interval(secs => ${Math.round(next.graceSeconds)})`;
    return tx.rows(endpoints).save(
      { spaceId, id },
      {
        secret: next.secret,
        oldSecret: next.graceSeconds === 0 ? null : secret,
        oldSecretUntil: next.graceSeconds === 0 ? null : () => until,
      },
    );
  }

  resume(tx: Tx, spaceId: string, id: string): Promise<EndpointRow | null> {
    return tx
      .rows(endpoints)
      .save({ spaceId, id }, { status: 'HEALTHY', failingReason: null, failingSince: null, tries: 0, nextTryAt: null });
  }

  async remove(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.rows(subscriptions).remove({ spaceId, endpointId: id });
    await tx.rows(endpoints).remove({ spaceId, id });
  }

  /** Counts a test; throws RATE_LIMITED for one too many within a minute. */
  async countTest(tx: Tx, spaceId: string, id: string): Promise<void> {
    const row = await tx.one<{ tests: number; waitSeconds: number }>(
      `update endpoints set
         tests = case when tests_since > (select clock_timestamp()) - interval '1 minute' then tests + 1 else 1 end,
         tests_since = case when tests_since > (select clock_timestamp()) - interval '1 minute' then tests_since else clock_timestamp() end
       where space_id = $1 and id = $2
       returning tests, ceil(60 - extract(epoch from clock_timestamp() - tests_since))::int as wait_seconds`,
      [spaceId, id],
    );
    if (row && row.tests > MAX_TESTS)
      throw new AppError('RATE_LIMITED', `An endpoint can be tested ${MAX_TESTS} times a minute.`, {
        retryAfterSeconds: Math.max(1, row.waitSeconds),
      });
  }

  secretUsers(tx: Tx, spaceId: string, name: string): Promise<NamedUser[]> {
    return tx.query<NamedUser>(
      `select id, name from endpoints where space_id = $1
          and exists (select 1 from jsonb_array_elements_text(secret_names) each where lower(each) = lower($2))
        order by id limit ${SECRET_USERS_NAMED}`,
      [spaceId, name],
    );
  }

  /** A success ends what was wrong. Most successes change nothing. */
  async noteSuccess(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.run(
      `update endpoints set status = 'HEALTHY', failing_reason = null, failing_since = null, last_success_at = clock_timestamp(),
         tries = 0, next_try_at = null
        where space_id = $1 and id = $2 and status <> 'DISABLED'
          and (status <> 'HEALTHY' or last_success_at is null or last_success_at < (select clock_timestamp()) - interval '1 second')`,
      [spaceId, id],
    );
  }

  /** True if this failure has disabled it: the receiver wants no more, or nothing arrived for five days. */
  async noteFailure(
    tx: Tx,
    spaceId: string,
    id: string,
    { code, isDisabling }: { code: string; isDisabling: boolean },
  ): Promise<boolean> {
    const row = await tx.one<{ status: string }>(
      `update endpoints set failing_reason = $3, failing_since = coalesce(failing_since, clock_timestamp()),
         tries = 0, next_try_at = null,
         status = case when $4 or failing_since < (select clock_timestamp()) - ${FAILING_MAX} then 'DISABLED' else 'FAILING' end
        where space_id = $1 and id = $2 and status <> 'DISABLED'
          and ($4 or status <> 'FAILING' or tries > 0 or failing_reason <> $3 or failing_since < (select clock_timestamp()) - ${FAILING_MAX})
        returning status`,
      [spaceId, id, code, isDisabling],
    );
    return row?.status === 'DISABLED';
  }

  /**
   * There is no subscriber. Of several deliveries that were sent at once the first counts. `waitMs`: until the next try.
   */
  async noteNoListener(
    tx: Tx,
    spaceId: string,
    id: string,
    firstWaitMs: number,
  ): Promise<{ isDisabled: boolean; waitMs: number | null }> {
    const row = await tx.one<{ status: string; waitMs: number }>(
      `update endpoints set failing_reason = 'NO_LISTENER', failing_since = coalesce(failing_since, clock_timestamp()), tries = tries + 1,
         next_try_at = clock_timestamp() + make_interval(secs => ${WAITS} * $3::float8 / ${FIRST_WAIT_MS}),
         status = case when failing_since < (select clock_timestamp()) - ${FAILING_MAX} then 'DISABLED' else 'FAILING' end
        where space_id = $1 and id = $2 and status <> 'DISABLED' and (next_try_at is null or next_try_at <= (select clock_timestamp()))
        returning status, extract(epoch from next_try_at - clock_timestamp())::float8 * 1000 as wait_ms`,
      [spaceId, id, firstWaitMs],
    );
    return { isDisabled: row?.status === 'DISABLED', waitMs: row && row.status !== 'DISABLED' ? row.waitMs : null };
  }

  /** Nothing is sent for so long. */
  async postpone(tx: Tx, spaceId: string, id: string, ms: number): Promise<void> {
    await tx.run(
      `update endpoints set next_try_at = greatest(next_try_at, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
        where space_id = $1 and id = $2 and (next_try_at is null or next_try_at <= (select clock_timestamp()))`,
      [spaceId, id, ms],
    );
  }

  /** Accounts of endpoints that take events, in the order of their ids. */
  accounts(tx: Tx, after: string, limit: number): Promise<{ spaceId: string; accountId: string }[]> {
    return tx.query<{ spaceId: string; accountId: string }>(
      `select distinct nats_account_id as account_id, space_id from endpoints
        where nats_account_id > $1 and status <> 'DISABLED' order by nats_account_id limit $2`,
      [after, limit],
    );
  }

  /** The account is revoked: gives the endpoints that this has disabled. */
  endAccount(tx: Tx, spaceId: string, accountId: string): Promise<{ id: string }[]> {
    return tx.query<{ id: string }>(
      `update endpoints set status = 'DISABLED', failing_reason = 'ACCOUNT_REVOKED',
         failing_since = coalesce(failing_since, clock_timestamp()), tries = 0, next_try_at = null
        where space_id = $1 and nats_account_id = $2 and status <> 'DISABLED' returning id`,
      [spaceId, accountId],
    );
  }
}
