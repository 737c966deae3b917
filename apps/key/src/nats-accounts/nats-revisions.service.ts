import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import {
  type Ctx,
  KeySignals,
  type LoadableNatsAccount,
  type NatsReceivers,
  type NatsRevisionView,
  type OperatorNatsAccounts,
  type Page,
  type PageRequest,
} from '@switchyard/contracts';
import { Database, listById } from '@switchyard/database';
import { type Clock, invalid } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { CLOCK, Workers } from '@switchyard/service';
import { type NatsAccountRow, NatsAccountsRepository } from '../db/nats-accounts.repository';
import { NatsRevisionRepository } from '../db/nats-revision.repository';
import { operatorAccountView } from './nats-account-view';

const ALL = listById('all-nats-accounts');
const LOADABLE = listById('loadable-nats-accounts');
const GRACE_EVERY_MS = 2_000;
const GRACES_AT_ONCE = 500;

/** The list of NATS users that servers load, and how far they have loaded it. */
@Injectable()
export class NatsRevisions implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly accounts: NatsAccountsRepository,
    private readonly revisions: NatsRevisionRepository,
    private readonly bus: Bus,
    private readonly workers: Workers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const poller = this.database.idlePoller.for(this.revisions.anyEndedGrace);
    this.workers.poll('end the graces of NATS users', GRACE_EVERY_MS, () => this.endGraces(), poller);
  }

  /** Servers ask for it every few seconds: one round trip. */
  async list(request: PageRequest): Promise<OperatorNatsAccounts> {
    const window = ALL.windowOf(request);
    // The revision is read first: changes made in between are in the rows, and have a higher revision.
    const [revisions, rows] = await this.database.systemRead('list NATS accounts', [
      this.revisions.current,
      this.accounts.all(window),
    ]);
    const { revision = 0 } = (revisions?.[0] ?? {}) as Partial<NatsRevisionView>;
    const accounts = (rows ?? []) as unknown as NatsAccountRow[];
    return { ...ALL.pageOf(accounts, window, (row) => operatorAccountView(row, this.clock.now())), revision };
  }

  listLoadable(request: PageRequest): Promise<Page<LoadableNatsAccount>> {
    const window = LOADABLE.windowOf(request);
    return this.database.system('list NATS accounts that a server may have', async (tx) => {
      const rows = await this.accounts.listLoadable(tx, window);
      return LOADABLE.pageOf(rows, window, ({ accountId, spaceId }) => ({ accountId, spaceId }));
    });
  }

  async noteLoaded(ctx: Ctx, revision: number): Promise<NatsRevisionView> {
    const noted = await this.database.system('note the loaded revision of NATS accounts', (tx) =>
      this.revisions.noteLoaded(tx, revision),
    );
    if (!noted) throw invalid('revision', 'must be one that the list of accounts has reached');
    const { before, view } = noted;
    const removed = await this.database.system('note loaded NATS users', async (tx) => {
      await this.accounts.noteAdmitted(tx);
      return view.loadedRevision > before ? this.accounts.listRemoved(tx, before, view.loadedRevision) : [];
    });
    for (const account of removed) this.announce(ctx, account, false);
    return view;
  }

  async receivers(accountIds: readonly string[]): Promise<NatsReceivers> {
    return { receivers: await this.accounts.listReceivers(this.database, accountIds) };
  }

  /** The account was revoked, or has another user. After the commit. */
  announceReceiver(ctx: Ctx, account: LoadableNatsAccount): void {
    this.bus.signal(KeySignals.natsReceiverChanged, ctx, account);
  }

  /** After the commit. */
  announce(ctx: Ctx, account: LoadableNatsAccount, isLoadable: boolean): void {
    this.bus.signal(KeySignals.natsAccountChanged, ctx, { ...account, isLoadable });
  }

  /** A server removes the user before a rotation when its grace has ended. */
  private endGraces(): Promise<boolean> {
    return this.database.system('end the graces of NATS users', async (tx) => {
      const ids = await this.accounts.lockEndedGraces(tx, GRACES_AT_ONCE);
      if (ids.length > 0) await this.accounts.endGraces(tx, ids, await this.revisions.next(tx));
      // Should the process that noted a revision have ended before it noted the users.
      await this.accounts.noteAdmitted(tx);
      return ids.length > 0;
    });
  }
}
