import { Injectable } from '@nestjs/common';
import type { Database, Read as Statement } from '@switchyard/database';
import type { JsonObject } from '@switchyard/kernel';
import type { KeyRefusal } from '../domain/key-budget-check';
import type { AccountRow } from './token-accounts.repository';
import { ADMIT, ADMIT_KEYED, LOCK, NOTE, SETTLE } from './ledger-batch.sql';

/** Facts of a call that its settlement needs, also if another relay settles it. */
export interface CallFacts {
  model: string;
  promptTokens: number;
  source: string;
  agentId?: string;
  sessionId?: string;
  turnId?: string;
  taskId?: string;
  jobId?: string;
  userId: string | null;
  keyId: string | null;
  requestKey?: string;
}

export interface CallReservation {
  spaceId: string;
  id: string;
  tokens: number;
  minimumBalance: number | null;
  dailyTokenCap: number | null;
  monthlyTokenCap: number | null;
  isUnmetered: boolean;
  facts: CallFacts;
  /** The caller's key, where it has token limits. */
  key?: KeyReservation;
}

export interface KeyReservation {
  id: string;
  dailyTokens: number | null;
  monthlyTokens: number | null;
  /** The keys that it was made by, the nearest first: the call counts for each of them. */
  makers: readonly ParentKeyReservation[];
}

export interface ParentKeyReservation {
  id: string;
  daily: number | null;
  monthly: number | null;
}

export interface AdmissionResult {
  admitted: boolean;
  balance: number;
  reserved: number;
  ahead: number;
  dailyUsed: number;
  monthlyUsed: number;
  /** The rest is only there for keys with limits. */
  keyMissing?: boolean;
  /** Only its Space may refuse it. */
  keyAllows?: boolean;
  keyReserved?: number;
  keyDailyUsed?: number;
  keyMonthlyUsed?: number;
  /** The limit of a maker of the key that is reached. */
  makerRefusal?: KeyRefusal | null;
}

/** The ledger entry of a settled call; null releases its tokens without an entry. */
export interface LedgerEntry extends Partial<CallFacts> {
  upstream: string | null;
  completionTokens: number;
  cost: number;
  estimated: boolean;
  outcome: string;
}

export interface Due {
  spaceId: string;
  /** The call's; its row in the ledger has the same, so there is one. */
  id: string;
  tokens: number;
  entry: LedgerEntry | null;
}

/** A relay's token lease in a Space for the calls of one key; '' for calls without a key. */
export interface Lease {
  spaceId: string;
  keyId: string;
  tokens: number;
  /** For calls that are still to come. */
  ahead?: number;
}

/** How far a call has come that no row tells of yet. */
export interface Note {
  spaceId: string;
  id: string;
  facts: CallFacts;
  seenTokens: number;
}

export interface Batch {
  settled?: readonly Due[];
  reservations?: readonly CallReservation[];
  /** The lease sums after the settled calls have ended and before the new ones begin. */
  leases?: readonly Lease[];
  notes?: readonly Note[];
}

export interface Booked {
  /** Of the wanted calls, in their order; null in a Space without an account. */
  admissions: (AdmissionResult | null)[];
  /** The accounts as what is settled and held has left them, before wanted calls are let in. */
  accounts: Map<string, AccountRow>;
}

export const leaseKeyOf = ({ keyId }: Pick<CallFacts, 'keyId'>): string => keyId ?? '';

/** A reservation that is lost in a database crash has charged nothing: it need not wait for the disk. */
const RELAXED: Statement = { name: 'relax', sql: `select set_config('synchronous_commit', 'off', true)`, params: [] };

/**
 * Stores model calls: their reservations and their cost.
 * Hot path: SQL on `pg`, prepared by name where every model call takes it.
 */
@Injectable()
export class LedgerBatchRepository {
  /**
   * Settles and reserves in one transaction and one round trip: what is settled makes room for what is reserved.
   */
  async book(database: Database, holder: string, batch: Batch): Promise<Booked> {
    const { settled = [], reservations: wantedCalls = [], leases = [], notes = [] } = batch;
    const keyed = wantedCalls.filter((call) => call.key);
    const leased = wantedCalls.filter((call) => !call.key);
    const spaceIds = new Set([...settled, ...wantedCalls, ...leases].map((call) => call.spaceId));
    const writes: Statement[] = [{ name: 'lock-accounts', sql: LOCK, params: [[...spaceIds]] }];
    /** Where among the answers its own will be. */
    const write = (statement: Statement): number => writes.push(statement) - 1;
    if (settled.length === 0) write(RELAXED);
    if (notes.length > 0) write(noting(holder, notes));
    const settling = settled.length + leases.length > 0 ? write(settlement(holder, settled, leases)) : null;
    const admitting = leased.length > 0 ? write(admission(holder, leased)) : null;
    const admittingKeyed = keyed.length > 0 ? write(keyedAdmission(holder, keyed)) : null;
    const answers = await database.systemWrite(
      'book model calls',
      writes.map((statement) => ({ ...statement, hasOnePlan: true })),
    );
    const rowsOf = (index: number | null): JsonObject[] => (index === null ? [] : (answers[index] ?? []));
    const ofLeased = withoutRefused(leased, inOrder(leased.length, rowsOf(admitting)));
    const ofKeyed = withoutRefused(keyed, inOrder(keyed.length, rowsOf(admittingKeyed)));
    const admissions = wantedCalls.map((call) => (call.key ? ofKeyed : ofLeased).shift() ?? null);
    return { admissions, accounts: accountsIn(rowsOf(settling)) };
  }
}

/** Postgres counts from 1, and leaves out the Spaces that have no account. */
function inOrder(count: number, rows: readonly JsonObject[]): (AdmissionResult | null)[] {
  const admissions = new Array<AdmissionResult | null>(count).fill(null);
  for (const row of rows) admissions[Number(row['ord']) - 1] = row as unknown as AdmissionResult;
  return admissions;
}

/**
 * The statements count what earlier calls of the batch asked for, also where those were refused. Such a call holds
 * nothing: with its tokens, a later one would be told of a limit that is not reached.
 */
function withoutRefused(
  calls: readonly CallReservation[],
  admissions: (AdmissionResult | null)[],
): (AdmissionResult | null)[] {
  if (admissions.every((admission) => admission?.admitted !== false)) return admissions;
  const refused = new Map<string, number>();
  const count = (name: string, tokens: number): unknown => refused.set(name, (refused.get(name) ?? 0) + tokens);
  return calls.map(({ spaceId, tokens, key }, index) => {
    const admission = admissions[index];
    if (!admission) return null;
    const keyName = `${spaceId} ${key?.id}`;
    const reserved = admission.reserved - (refused.get(spaceId) ?? 0);
    const ofKey = key && { keyReserved: (admission.keyReserved ?? 0) - (refused.get(keyName) ?? 0) };
    if (!admission.admitted) {
      if (admission.keyAllows !== false) count(spaceId, tokens);
      if (key) count(keyName, tokens);
    }
    return { ...admission, reserved, ...ofKey };
  });
}

const accountsIn = (rows: readonly JsonObject[]): Map<string, AccountRow> =>
  new Map(rows.map((row) => [row['spaceId'] as string, row as unknown as AccountRow]));

const settlement = (holder: string, settled: readonly Due[], leases: readonly Lease[]): Statement => ({
  name: 'settle-calls',
  sql: SETTLE,
  params: [
    holder,
    settled.map((call) => call.spaceId),
    settled.map((call) => call.id),
    settled.map((call) => call.tokens),
    JSON.stringify(settled.map((call) => call.entry)),
    leases.map((lease) => lease.spaceId),
    leases.map((lease) => lease.keyId),
    leases.map((lease) => lease.tokens),
    leases.map((lease) => lease.ahead ?? 0),
  ],
});

const admission = (holder: string, calls: readonly CallReservation[]): Statement => ({
  name: 'admit',
  sql: ADMIT,
  params: [
    holder,
    calls.map((call) => call.spaceId),
    calls.map((call) => leaseKeyOf(call.facts)),
    calls.map((call) => call.tokens),
    calls.map((call) => call.minimumBalance),
    calls.map((call) => call.dailyTokenCap),
    calls.map((call) => call.monthlyTokenCap),
    calls.map((call) => call.isUnmetered),
  ],
});

const keyedAdmission = (holder: string, calls: readonly CallReservation[]): Statement => ({
  name: 'admit-keyed',
  sql: ADMIT_KEYED,
  params: [
    calls.map((call) => call.spaceId),
    calls.map((call) => call.id),
    calls.map((call) => call.tokens),
    calls.map((call) => call.minimumBalance),
    calls.map((call) => call.dailyTokenCap),
    calls.map((call) => JSON.stringify(call.facts)),
    holder,
    calls.map((call) => call.key?.id ?? null),
    calls.map((call) => call.key?.dailyTokens ?? null),
    calls.map((call) => call.key?.monthlyTokens ?? null),
    calls.map((call) => call.monthlyTokenCap),
    calls.map((call) => call.isUnmetered),
    calls.map((call) => JSON.stringify(call.key?.makers ?? [])),
  ],
});

const noting = (holder: string, notes: readonly Note[]): Statement => ({
  name: 'note-calls',
  sql: NOTE,
  params: [
    holder,
    notes.map((note) => note.spaceId),
    notes.map((note) => note.id),
    notes.map((note) => JSON.stringify(note.facts)),
    notes.map((note) => note.seenTokens),
  ],
});
