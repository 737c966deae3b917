import { Injectable } from '@nestjs/common';
import type { EnvelopeCause, EnvelopeView, ListEnvelopes } from '@switchyard/contracts';
import { type PageWindow, type Tx, listColumn } from '@switchyard/database';
import { sqlStates } from '@switchyard/kernel';
import { isVisibleSql } from '../domain/envelope-audience';
import { REDISPATCHED, STOPPED } from '../domain/emission-state';
import type { WaitingEmission } from './undispatched-emissions.repository';

export type ReplayableEnvelope = WaitingEmission & { status: EnvelopeView['status'] };

const view = (
  payload: string,
): string => `id, space_id, app_identifier, event, ${payload}, source, status, matched_subscriptions, idempotency_key, actor_user_id, causation_id,
       correlation_id, depth, attempts, error, emitted_at, dispatched_at`;

/** The log of emissions: read, listed, replayed. `viewer` null: all of them. */
@Injectable()
export class EnvelopesRepository {
  find(tx: Tx, spaceId: string, id: string, viewer: string | null): Promise<EnvelopeView | null> {
    return tx.one<EnvelopeView>(
      `select ${view('payload')} from emissions where space_id = $1 and id = $2 and ${isVisibleSql('$3')}`,
      [spaceId, id, viewer],
    );
  }

  cause(tx: Tx, spaceId: string, id: string): Promise<Omit<EnvelopeCause, 'found'> | null> {
    return tx.one('select correlation_id, depth, root from emissions where space_id = $1 and id = $2', [spaceId, id]);
  }

  /** Newest first. Ids grow with time, so that the primary key gives the order. */
  list(
    tx: Tx,
    { spaceId, viewer }: { spaceId: string; viewer: string | null },
    query: ListEnvelopes,
    { after, take }: PageWindow<string>,
  ): Promise<EnvelopeView[]> {
    const params: unknown[] = [spaceId];
    const conditions = ['space_id = $1'];
    const add = (condition: string, value: unknown): void => {
      if (value === undefined || value === null) return;
      params.push(value);
      conditions.push(condition.replace('?', `$${params.length}`));
    };
    // Few rows have one of these: the condition is spelled as their index has it.
    if (query.status && STOPPED.includes(query.status)) conditions.push(`status in ${sqlStates(STOPPED)}`);
    add('(audience is null or audience = ?)', viewer);
    add('status = ?', query.status);
    add('event = ?', query.event);
    add('app_identifier = ?', query.appIdentifier);
    add('source = ?', query.source);
    add('correlation_id = ?', query.correlationId);
    add('emitted_at >= ?', query.from);
    add('emitted_at < ?', query.to);
    add('id >= ?', query.from && idBound(query.from, -SLACK_MS));
    add('id < ?', query.to && idBound(query.to, SLACK_MS));
    add('id < ?', after);
    params.push(take);
    return tx.query<EnvelopeView>(
      `select ${view(listColumn('payload'))} from emissions where ${conditions.join(' and ')} order by id desc limit $${params.length}`,
      params,
    );
  }

  /** The latest emissions of an event, with all of their payload. */
  latestOf(
    tx: Tx,
    spaceId: string,
    { appIdentifier, name }: { appIdentifier: string; name: string },
    { limit, viewer }: { limit: number; viewer: string | null },
  ): Promise<Pick<EnvelopeView, 'id' | 'emittedAt' | 'payload'>[]> {
    return tx.query(
      `select id, emitted_at, payload from emissions
        where space_id = $1 and event = $2 and app_identifier = $3 and ${isVisibleSql('$5')} order by id desc limit $4`,
      [spaceId, name, appIdentifier, limit, viewer],
    );
  }

  /** With the row locked, so that replays count up one after the other. */
  lock(tx: Tx, spaceId: string, id: string): Promise<ReplayableEnvelope | null> {
    return this.replayable(tx, spaceId, id, 'for update of m');
  }

  peek(tx: Tx, spaceId: string, id: string, viewer: string | null): Promise<ReplayableEnvelope | null> {
    return this.replayable(tx, spaceId, id, '', viewer);
  }

  async noteReplay(tx: Tx, spaceId: string, id: string, status: string, matched: number): Promise<number> {
    const row = await tx.one<{ replays: number }>(
      `update emissions
          set replays = replays + 1, matched_subscriptions = $4, status = $3,
              error = case when $3 = 'DISPATCHED' then null else error end,
              dispatched_at = case when $3 = 'DISPATCHED' then coalesce(dispatched_at, clock_timestamp()) else dispatched_at end
        where space_id = $1 and id = $2 and (status = $3 or status in ${sqlStates(REDISPATCHED)})
       returning replays`,
      [spaceId, id, status, matched],
    );
    return row?.replays ?? 0;
  }

  private replayable(
    tx: Tx,
    spaceId: string,
    id: string,
    lock: string,
    viewer: string | null = null,
  ): Promise<ReplayableEnvelope | null> {
    return tx.one<ReplayableEnvelope>(
      `select m.space_id, m.id, m.event_id, m.event, m.payload, m.source, m.emitted_at, m.actor_user_id, m.causation_id, m.correlation_id,
              m.depth, m.attempts, m.payload_bytes, m.status, e.active as event_active, e.subscriptions_revision
         from emissions m join registered_events e on e.space_id = m.space_id and e.id = m.event_id
        where m.space_id = $1 and m.id = $2 and ${isVisibleSql('$3')} ${lock}`,
      [spaceId, id, viewer],
    );
  }
}

/** An id is made a moment before or after the time that is written down. */
const SLACK_MS = 60_000;

/** The least UUIDv7 of a moment. */
export function idBound(time: string, shiftMs: number): string {
  const ms = Math.max(0, new Date(time).getTime() + shiftMs);
  const hex = ms.toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
