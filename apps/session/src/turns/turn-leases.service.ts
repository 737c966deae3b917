import { Injectable } from '@nestjs/common';
import {
  type ClaimedTurn,
  type ClaimedTurns,
  type ClaimReason,
  type ClaimTurns,
  type Ctx,
  type DeferTurn,
  type HeartbeatResult,
  type HeartbeatTurns,
  type ReleaseTurns,
  SessionSignals,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { failpoint } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { modelContext, ModelContextLoader } from '../context/load-model-context';
import { InteractionsRepository } from '../db/interactions.repository';
import { SessionsRepository } from '../db/sessions.repository';
import { TurnLeasesRepository } from '../db/turn-leases.repository';
import type { TurnRow } from '../db/turns.repository';
import { SessionConfig } from '../session.config';
import { CrashedTurns } from './crashed-turn-handling';
import { recordOf } from './turn-views';

/** A claim carries whole contexts; a replica that wants more asks again. */
const CLAIM_AT_MOST = 4;

@Injectable()
export class TurnLeasesService {
  constructor(
    private readonly database: Database,
    private readonly interactions: InteractionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly leases: TurnLeasesRepository,
    private readonly bus: Bus,
    private readonly contexts: ModelContextLoader,
    private readonly config: SessionConfig,
    private readonly losses: CrashedTurns,
  ) {}

  async heartbeat(data: HeartbeatTurns): Promise<HeartbeatResult> {
    if (data.turns.length === 0) return { lost: [], cancelRequested: [] };
    const renewed = await this.database.system('renew the leases of turns', (tx) =>
      this.leases.renew(tx, data, this.config.SESSION_TURN_LEASE_SECONDS),
    );
    const stored = new Set(renewed.map((turn) => turn.key));
    return {
      lost: data.turns.map((turn) => turn.key).filter((key) => !stored.has(key)),
      cancelRequested: renewed.filter((turn) => turn.cancelRequested).map((turn) => turn.key),
    };
  }

  async claim(data: ClaimTurns): Promise<ClaimedTurns> {
    const claimed = await this.claimLoose(data);
    if (claimed.items.length > 0) await failpoint('session.turns-claimed');
    return claimed;
  }

  private async claimLoose(data: ClaimTurns): Promise<ClaimedTurns> {
    // Agents ask every few seconds. The statements of a claim are long: planned for an idle platform, they were a third of its work in Postgres.
    const [running = []] = await this.database.systemRead('look whether turns run', [this.leases.anyRunning]);
    if (running.length === 0) return { items: [], holders: [] };
    return this.database.system('claim turns that nobody holds', async (tx) => {
      await this.losses.settle(tx, data.gone ?? []);
      const { owner, limit, othersFirst = false } = data;
      const requested = { owner, limit: Math.min(limit, CLAIM_AT_MOST), othersFirst };
      const rows = await this.leases.claim(tx, requested, this.config.SESSION_TURN_LEASE_SECONDS);
      const items: ClaimedTurn[] = [];
      for (const row of rows) {
        const claimed = await this.claimed(tx, row, (row.wokenFor ?? 'lost') as ClaimReason);
        items.push({ ...claimed, isSuspect: row.isSuspect });
      }
      return { items, holders: await this.leases.holders(tx, data.owner) };
    });
  }

  async release(ctx: Ctx, data: ReleaseTurns): Promise<Record<string, never>> {
    const released = await this.database.system('hand turns over', (tx) => this.leases.release(tx, data.turns));
    if (released > 0) this.bus.signal(SessionSignals.turnsClaimable, ctx, {});
    return {};
  }

  /** No signal is sent: polling workers find it when it is due. */
  async defer({ reason, ...leased }: DeferTurn): Promise<Record<string, never>> {
    await this.database.system('put turns off', (tx) => this.leases.defer(tx, leased, reason));
    return {};
  }

  /** Everything that a replica needs to go on with a turn. */
  async claimed(tx: Tx, row: TurnRow, reason: ClaimReason): Promise<ClaimedTurn> {
    return {
      // The turn's last interaction: its answer may have been stored by a process that died afterwards.
      turn: recordOf(row, await this.interactions.findSettled(tx, row.spaceId, row.id)),
      identity: row.identity,
      input: row.input,
      state: row.state,
      context: await this.contextFor(tx, row),
      reason,
      // Required by agents of 0.1.0, and always false: remove it in 0.3.0.
      exhausted: false,
      leaseSeconds: this.config.SESSION_TURN_LEASE_SECONDS,
    };
  }

  private async contextFor(tx: Tx, row: TurnRow): Promise<ClaimedTurn['context']> {
    if (row.sessionId === null) return null;
    // The session of a turn that is to be cancelled may be gone from sight.
    const session = await this.sessions.find(tx, row.spaceId, row.sessionId);
    return session && modelContext(await this.contexts.load(tx, row.spaceId, row.sessionId));
  }
}
