import { Injectable } from '@nestjs/common';
import {
  type ChangeOperatorSpace,
  type CreateOperatorSpace,
  type Ctx,
  KeySignals,
  type ListOperatorSpaces,
  NO_SPACE,
  type SpaceName,
  type NewOwner,
  type OperatorSpaceView,
  type Page,
  RelayCalls,
  type ReportTotals,
  type SuspendSpace,
  actAs,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, invalid, newId } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { recordedChanges } from '../audit/security-event-diff';
import { SecurityLog, type SpaceAction } from '../audit/security-log';
import { MembersRepository } from '../db/members.repository';
import {
  NEWEST_SPACES,
  OperatorSpacesRepository,
  SPACES_BY_TOTAL,
  type SpaceChange,
} from '../db/operator-spaces.repository';
import { PayersRepository } from '../db/payers.repository';
import { SpaceTotalsRepository } from '../db/space-totals.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { MILLISECOND } from '../db/tables';
import { UsersRepository } from '../db/users.repository';
import { mergeCeilings } from '../domain/ceilings';
import { PAYERS_IN_A_ROW } from '../domain/space-payer';
import { normalEmail } from '../domain/normalize-email';
import { KeyConfig } from '../key.config';
import { InvitationsService } from '../members/invitations.service';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { KeyHasher } from '../secrets/key-hasher';
import { PasswordHashing } from '../secrets/password-hashing';
import { SpacesService } from '../spaces/spaces.service';
import { Accounts } from '../users/accounts.service';
import { operatorSpaceView } from './operator-space-view';

const unknownSpace = (): AppError => new AppError('NOT_FOUND', 'Space not found.');

interface Decision {
  change: SpaceChange;
  action: SpaceAction;
  details: Record<string, unknown>;
}

/** Spaces from above: who has which, what they may use, and whether they run. */
@Injectable()
export class OperatorSpaces {
  constructor(
    private readonly database: Database,
    private readonly payers: PayersRepository,
    private readonly rows: OperatorSpacesRepository,
    private readonly totals: SpaceTotalsRepository,
    private readonly spaceRows: SpacesRepository,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly spaces: SpacesService,
    private readonly accounts: Accounts,
    private readonly invitations: InvitationsService,
    private readonly passwordHashing: PasswordHashing,
    private readonly hasher: KeyHasher,
    private readonly signals: AuthCacheInvalidation,
    private readonly log: SecurityLog,
    private readonly bus: Bus,
    private readonly config: KeyConfig,
    private readonly logger: Logger,
  ) {}

  list(_ctx: Ctx, request: ListOperatorSpaces): Promise<Page<OperatorSpaceView>> {
    const filter = { q: request.q ?? null, status: request.status ?? null };
    const { sort = 'createdAt' } = request;
    return this.database.system('list Spaces for an operator', async (tx) => {
      if (sort === 'createdAt') {
        const window = NEWEST_SPACES.windowOf(request);
        const rows = await this.rows.listNewest(tx, filter, window);
        const payers = await this.payers.behind(tx, rows);
        return NEWEST_SPACES.pageOf(rows, window, (row) => operatorSpaceView(row, payers));
      }
      const list = SPACES_BY_TOTAL[sort];
      const window = list.windowOf(request);
      const rows = await this.rows.listByTotal(tx, sort, filter, window);
      const payers = await this.payers.behind(tx, rows);
      return list.pageOf(rows, window, (row) => operatorSpaceView(row, payers));
    });
  }

  names(ids: readonly string[]): Promise<SpaceName[]> {
    return this.database.system('name Spaces', (tx) => this.rows.names(tx, ids));
  }

  async get(ctx: Ctx, spaceId: string): Promise<OperatorSpaceView> {
    await this.refreshTotals(ctx, spaceId);
    return this.database.system('read a Space for an operator', (tx) => this.view(tx, spaceId));
  }

  async create(ctx: Ctx, request: CreateOperatorSpace): Promise<OperatorSpaceView> {
    const { owner } = request;
    requireOneOwner(owner);
    const id = newId();
    // Before the transaction: a slow hash must not hold a connection.
    const passwordHash = owner.password === undefined ? null : await this.passwordHashing.hash(id, owner.password);
    const payer = await this.database.system('look for the payer of a Space', async (tx) => {
      if (owner.userId !== undefined && !(await this.users.find(tx, owner.userId)))
        throw new AppError('NOT_FOUND', 'owner.userId: account not found.');
      return this.payerOf(tx, id, request.payer);
    });
    const inSpace = actAs(ctx, { spaceId: id });
    const work = async (tx: Tx): Promise<OperatorSpaceView> => {
      await this.spaceRows.enter(tx, id);
      await this.spaces.insert(tx, inSpace, {
        id,
        name: request.name,
        startingTokens: request.tokens ?? this.config.INITIAL_SPACE_TOKENS,
        madeByKind: 'operator',
      });
      const change = { ...payer, ...(request.ceilings ? { ceilings: mergeCeilings({}, request.ceilings) } : {}) };
      if (Object.keys(change).length > 0) await this.rows.change(tx, id, change);
      const invitation = await this.giveOwner(tx, inSpace, id, owner, passwordHash);
      const view = { ...(await this.view(tx, id)), ...(invitation ? { invitation } : {}) };
      await this.spaceRows.enter(tx, NO_SPACE);
      return view;
    };
    const once = this.hasher.keyedFingerprint({ ...ctx, spaceId: NO_SPACE });
    const made = await this.database.once(once, work, { secretFields: ['invitation'] });
    if (owner.userId !== undefined) this.signals.memberChanged(ctx, made.id, owner.userId);
    return made;
  }

  change(ctx: Ctx, request: ChangeOperatorSpace): Promise<OperatorSpaceView> {
    return this.decide(ctx, request.spaceId, async (tx, before) => {
      const payer = await this.payerOf(tx, before.id, request.payer);
      const ceilings = request.ceilings ? mergeCeilings(before.ceilings, request.ceilings) : undefined;
      const change: SpaceChange = {
        ...payer,
        ...(request.name === undefined ? {} : { name: request.name.trim() }),
        ...(ceilings ? { ceilings } : {}),
        ...(request.unmetered === undefined ? {} : { unmetered: request.unmetered }),
      };
      const { payerKind, payerId } = payer;
      const others = recordedChanges(
        { name: before.name, payer: { kind: before.payerKind, id: before.payerId }, unmetered: before.unmetered },
        {
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(request.payer === undefined ? {} : { payer: { kind: payerKind, id: payerId } }),
          ...(change.unmetered === undefined ? {} : { unmetered: change.unmetered }),
        },
      );
      const decisions: Decision[] = [];
      if (ceilings)
        decisions.push({ change, action: 'space.ceilings.changed', details: { ceilings: request.ceilings } });
      if (others.fields.length > 0) decisions.push({ change, action: 'space.changed', details: { ...others } });
      return decisions;
    });
  }

  suspend(ctx: Ctx, { spaceId, reason }: SuspendSpace): Promise<OperatorSpaceView> {
    return this.decide(ctx, spaceId, (_tx, before) => [
      {
        change: {
          status: 'SUSPENDED',
          suspendedReason: reason.trim(),
          // Another reason for the same suspension does not begin it anew.
          ...(before.status === 'SUSPENDED' ? {} : { suspendedAt: () => MILLISECOND }),
        },
        action: 'space.suspended',
        details: { reason: reason.trim() },
      },
    ]);
  }

  resume(ctx: Ctx, spaceId: string): Promise<OperatorSpaceView> {
    return this.decide(ctx, spaceId, (_tx, before) =>
      before.status === 'ACTIVE'
        ? []
        : [
            {
              change: {
                status: 'ACTIVE',
                suspendedReason: null,
                suspendedAt: null,
                lastSuspendedAt: () => 'coalesce(suspended_at, updated_at)',
                lastResumedAt: () => MILLISECOND,
              },
              action: 'space.resumed',
              details: {},
            },
          ],
    );
  }

  async note({ used, stored }: ReportTotals): Promise<void> {
    await this.database.system('note what Spaces use', async (tx) => {
      if (used && used.length > 0) await this.totals.noteUsed(tx, used);
      if (stored && stored.length > 0) await this.totals.noteStored(tx, stored);
    });
  }

  /** As it is now, where the relay answers; else as it was reported. */
  private async refreshTotals(ctx: Ctx, spaceId: string): Promise<void> {
    try {
      const { items } = await this.bus.call(RelayCalls.spaceTotals, ctx, { spaceIds: [spaceId] }, { timeoutMs: 2_000 });
      if (items.length > 0) await this.note({ used: items });
    } catch (error) {
      this.logger.warn({ err: error, space: spaceId }, 'failed to load the usage of a Space from the relay');
    }
  }

  private async decide(
    ctx: Ctx,
    spaceId: string,
    decisionsOf: (tx: Tx, before: Before) => Decision[] | Promise<Decision[]>,
  ): Promise<OperatorSpaceView> {
    const inSpace = actAs(ctx, { spaceId });
    const { view, hasChanged, paidFor } = await this.database.system('change a Space for an operator', async (tx) => {
      const before = await this.spaceRows.findLocked(tx, spaceId);
      if (!before) throw unknownSpace();
      const decisions = await decisionsOf(tx, before);
      for (const { change, action, details } of decisions) {
        await this.rows.change(tx, spaceId, change);
        await this.log.inSpace(tx, inSpace, action, spaceId, details);
      }
      const changesPayer = decisions.some(({ change }) => change.payerId !== undefined);
      const paidFor = changesPayer ? await this.payers.paidFor(tx, spaceId) : [];
      return { view: await this.view(tx, spaceId), hasChanged: decisions.length > 0, paidFor };
    });
    // Before it is answered, over the connection that brings the next requests.
    if (hasChanged) this.bus.signal(KeySignals.settingsChanged, inSpace, { spaceId });
    for (const { id } of paidFor)
      this.bus.signal(KeySignals.settingsChanged, actAs(ctx, { spaceId: id }), { spaceId: id });
    return view;
  }

  private async view(tx: Tx, spaceId: string): Promise<OperatorSpaceView> {
    const space = await this.rows.find(tx, spaceId);
    if (!space) throw unknownSpace();
    return operatorSpaceView(space, await this.payers.behind(tx, [space]));
  }

  /** Columns for the payer in the request; none if it names none. */
  private async payerOf(tx: Tx, own: string, payer: string | null | undefined): Promise<SpaceChange> {
    if (payer === undefined) return {};
    if (payer !== null && payer !== own) {
      await this.payers.lock(tx);
      const found = await this.rows.find(tx, payer);
      if (!found) throw new AppError('NOT_FOUND', 'payer: Space not found.');
      const behind = await this.payers.behind(tx, [found]);
      if (behind.has(own)) throw invalid('payer', 'must not be a Space for which this one pays');
      const before = Math.max(0, ...(await this.payers.paidFor(tx, own)).map(({ steps }) => steps));
      if (before + 2 + behind.size > PAYERS_IN_A_ROW)
        throw invalid('payer', `must not make a row of more than ${PAYERS_IN_A_ROW} Spaces that pay for each other`);
    }
    return { payerKind: 'space', payerId: payer ?? own };
  }

  private async giveOwner(
    tx: Tx,
    ctx: Ctx,
    spaceId: string,
    { userId, email }: NewOwner,
    passwordHash: string | null,
  ): Promise<OperatorSpaceView['invitation']> {
    if (userId !== undefined) {
      if (!(await this.users.findLocked(tx, userId)))
        throw new AppError('NOT_FOUND', 'owner.userId: account not found.');
      await this.members.insert(tx, { spaceId, userId, role: 'OWNER' });
      await this.log.inSpace(tx, ctx, 'member.added', userId, { role: 'OWNER' });
      return undefined;
    }
    const address = normalEmail(email ?? '');
    if (passwordHash === null) {
      const { invitation } = await this.invitations.invite(tx, ctx, { spaceId, email: address, role: 'OWNER' });
      return invitation;
    }
    const user = await this.accounts.create(tx, ctx, {
      id: newId(),
      email: address,
      passwordHash,
      spaceId,
      passwordByOthers: true,
    });
    await this.members.insert(tx, { spaceId, userId: user.id, role: 'OWNER' });
    await this.log.inSpace(tx, ctx, 'member.added', user.id, { role: 'OWNER', newAccount: true });
    return undefined;
  }
}

type Before = NonNullable<Awaited<ReturnType<SpacesRepository['findLocked']>>>;

function requireOneOwner({ email, password, userId }: NewOwner): void {
  if ((email === undefined) === (userId === undefined)) throw invalid('owner', 'must have either email or userId');
  if (userId !== undefined && password !== undefined)
    throw invalid('owner.password', 'must be left out for an account that is there');
}
