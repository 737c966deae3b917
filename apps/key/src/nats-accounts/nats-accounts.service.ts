import { Inject, Injectable } from '@nestjs/common';
import {
  type CreateNatsAccount,
  type Ctx,
  type ListNatsAccounts,
  NATS_ACCOUNTS_PER_SPACE,
  type NatsAccountView,
  type NatsAccountWithSeed,
  type OfNatsAccount,
  type Page,
  type RotateNatsAccount,
  type UpdateNatsAccount,
  requireUser,
  roleAtLeast,
} from '@switchyard/contracts';
import { Database, type Tx, listByTime, onceAfter } from '@switchyard/database';
import { AppError, type Clock, invalid, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type NatsAccountRow, NatsAccountsRepository } from '../db/nats-accounts.repository';
import { NatsRevisionRepository } from '../db/nats-revision.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { distinctScopes, scopesBeyond } from '../domain/missing-scopes';
import { changedAccountLimits, checkRequestsPerMinute } from '../domain/nats-account-limits';
import { type NatsUserKey, checkNatsUserKey, makeNatsAccountId, makeNatsUserKey } from './nats-user-key';
import { requireOwnSpace } from '../domain/require-own-space';
import { KeyConfig } from '../key.config';
import { LimitedAgents } from '../keys/check-agent-limits';
import { KeysOfKeys } from '../keys/keys-of-keys';
import { refuseMoreThanOwnLimits, refuseMoreThanOwnScopes } from '../keys/key-permission-checks';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { natsAccountView, unknownAccount } from './nats-account-view';
import { NatsRevisions } from './nats-revisions.service';
import { LoadedUsers } from './wait-until-loaded';

const LIST = listByTime('nats-accounts', (row: NatsAccountRow) => ({ at: row.createdAt, id: row.id }));
const SHOWN_ONCE = { secretFields: ['seed'] };

/** Accounts of a company's services: each is a NATS user with a role, scopes and limits as an API key has them. */
@Injectable()
export class NatsAccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: NatsAccountsRepository,
    private readonly revisions: NatsRevisionRepository,
    private readonly spaces: SpacesRepository,
    private readonly makers: KeysOfKeys,
    private readonly agents: LimitedAgents,
    private readonly servers: NatsRevisions,
    private readonly loaded: LoadedUsers,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(ctx: Ctx, request: CreateNatsAccount): Promise<NatsAccountWithSeed> {
    const spaceId = requireOwnSpace(ctx, request.spaceId);
    const makerId = requireUser(ctx);
    const { name, role = 'MEMBER' } = request;
    const scopes = distinctScopes(request.scopes);
    if (!roleAtLeast(ctx.role, role)) throw new AppError('FORBIDDEN', 'An account has at most your own role.');
    refuseMoreThanOwnScopes(ctx, scopes);
    const check = async (): Promise<void> => {
      if (request.publicKey !== undefined) checkNatsUserKey(request.publicKey);
      if (this.config.NATS_API_URL === '') throw isOff();
      await this.agents.requireKnown(ctx, request.limits);
    };
    const work = async (tx: Tx): Promise<NatsAccountWithSeed> => {
      await this.accounts.lockNames(tx, spaceId);
      if ((await this.accounts.countActive(tx, spaceId)) >= NATS_ACCOUNTS_PER_SPACE)
        throw new AppError(
          'CONFLICT',
          `A Space has at most ${NATS_ACCOUNTS_PER_SPACE} NATS accounts. Revoke one first.`,
          { limit: { limit: 'natsAccounts', value: NATS_ACCOUNTS_PER_SPACE, until: null } },
        );
      await this.requireFreeName(tx, spaceId, name);
      await this.checkBound(tx, spaceId, request.limits);
      await this.makers.requireNamed(tx, ctx, scopes);
      const own = await this.makers.ownLimits(tx, ctx);
      const limits = changedAccountLimits(own, request.limits);
      refuseMoreThanOwnLimits(own, limits);
      const id = newId();
      const key = userKeyOf(request.publicKey);
      await this.addKey(tx, spaceId, { id, makerId, key });
      const row = await this.accounts.insert(tx, spaceId, {
        id,
        accountId: makeNatsAccountId(),
        name,
        role,
        scopes,
        limits,
        publicKey: key.publicKey,
        madeByKey: await this.makers.makerWithin(tx, ctx),
        createdBy: makerId,
        userRevision: await this.revisions.next(tx),
      });
      const details = { name, role, scopes, limits: { ...limits }, publicKey: key.publicKey };
      await this.log.inSpace(tx, ctx, 'nats-account.created', row.accountId, details);
      return this.shown(row, key);
    };
    const answer = await onceAfter(this.database, ctx, check, work, SHOWN_ONCE);
    return this.whenLoaded(ctx, answer);
  }

  list(ctx: Ctx, request: ListNatsAccounts): Promise<Page<NatsAccountView>> {
    const window = LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      const spaceId = requireOwnSpace(ctx, request.spaceId);
      const rows = await this.accounts.list(tx, spaceId, { ...window, status: request.status ?? null });
      return LIST.pageOf(rows, window, (row) => this.view(row));
    });
  }

  get(ctx: Ctx, request: OfNatsAccount): Promise<NatsAccountView> {
    return this.database.transaction(ctx, async (tx) => {
      const row = await this.accounts.find(tx, requireOwnSpace(ctx, request.spaceId), request.accountId);
      if (!row) throw unknownAccount();
      return this.view(row);
    });
  }

  async update(ctx: Ctx, request: UpdateNatsAccount): Promise<NatsAccountView> {
    const spaceId = requireOwnSpace(ctx, request.spaceId);
    if (request.limits?.agents)
      await this.agents.requireKnown(ctx, request.limits, (await this.get(ctx, request)).limits);
    const row = await this.database.transaction(ctx, async (tx) => {
      if (request.name !== undefined) await this.accounts.lockNames(tx, spaceId);
      const before = await this.getLocked(tx, ctx, request);
      if (before.revokedAt !== null) throw new AppError('CONFLICT', 'This account is revoked. Make a new one instead.');
      const { name = before.name, role = before.role } = request;
      if (name !== before.name) await this.requireFreeName(tx, spaceId, name);
      if (!roleAtLeast(before.role, role)) throw invalid('role', `can only shrink: it is ${before.role}`);
      const scopes = distinctScopes(request.scopes ?? before.scopes);
      const added = scopesBeyond(before.scopes, scopes);
      if (added.length > 0) throw invalid('scopes', `can only shrink: ${added.join(', ')} would be new`);
      await this.checkBound(tx, spaceId, request.limits);
      const limits = changedAccountLimits(before.limits, request.limits);
      if (request.limits !== undefined) refuseMoreThanOwnLimits(await this.makers.ownLimits(tx, ctx), limits);
      const after = await this.accounts.change(tx, spaceId, before.id, { name, role, scopes, limits });
      if (!after) throw unknownAccount();
      const details = { name, role, scopes, limits: { ...limits } };
      await this.log.inSpace(tx, ctx, 'nats-account.changed', before.accountId, details);
      return after;
    });
    await this.signals.changed(ctx, row.id, row.version);
    this.signals.memberChanged(ctx, spaceId, row.id);
    return this.view(row);
  }

  async rotate(ctx: Ctx, request: RotateNatsAccount): Promise<NatsAccountWithSeed> {
    const spaceId = requireOwnSpace(ctx, request.spaceId);
    const makerId = requireUser(ctx);
    if (request.publicKey !== undefined) checkNatsUserKey(request.publicKey);
    const { graceSeconds = 0 } = request;
    const work = async (tx: Tx): Promise<NatsAccountWithSeed> => {
      const before = await this.getLocked(tx, ctx, request);
      // The seed has the account's rights, so only callers with the same rights may see it.
      if (!roleAtLeast(ctx.role, before.role)) throw new AppError('FORBIDDEN', 'This account has a higher role.');
      refuseMoreThanOwnScopes(ctx, before.scopes);
      refuseMoreThanOwnLimits(await this.makers.ownLimits(tx, ctx), before.limits);
      await this.makers.refuseOthersOfLimitedKey(tx, ctx, before.id);
      if (before.revokedAt !== null)
        throw new AppError('CONFLICT', 'Only an active account can be rotated. Make a new one instead.');
      const key = userKeyOf(request.publicKey);
      await this.addKey(tx, spaceId, { id: before.id, makerId, key });
      const revision = await this.revisions.next(tx);
      const hasGrace = graceSeconds > 0;
      // The user before goes at once without a grace; one in an earlier grace goes in any case.
      const isRemoved = !hasGrace || before.previousPublicKey !== null;
      const row = await this.accounts.rotate(tx, spaceId, before.id, {
        publicKey: key.publicKey,
        previousPublicKey: hasGrace ? before.publicKey : null,
        previousUntil: hasGrace ? new Date(this.clock.now().getTime() + graceSeconds * 1000).toISOString() : null,
        userRevision: revision,
        removedRevision: isRemoved ? revision : before.removedRevision,
      });
      if (!row) throw unknownAccount();
      const details = { graceSeconds, publicKey: key.publicKey };
      await this.log.inSpace(tx, ctx, 'nats-account.rotated', before.accountId, details);
      return this.shown(row, key);
    };
    const answer = await this.database.once(ctx, work, SHOWN_ONCE);
    this.servers.announceReceiver(ctx, { accountId: answer.id, spaceId });
    return this.whenLoaded(ctx, answer);
  }

  async revoke(ctx: Ctx, request: OfNatsAccount): Promise<NatsAccountView> {
    const spaceId = requireOwnSpace(ctx, request.spaceId);
    const row = await this.database.transaction(ctx, async (tx) => {
      const before = await this.getLocked(tx, ctx, request);
      if (before.revokedAt !== null) return before;
      const revoked = await this.accounts.revoke(tx, spaceId, before.id, await this.revisions.next(tx));
      await this.log.inSpace(tx, ctx, 'nats-account.revoked', before.accountId);
      return revoked ?? before;
    });
    // Said again for an account that was revoked before: the first time may not have been heard.
    await this.signals.revoked(ctx, [row.id]);
    this.signals.memberChanged(ctx, spaceId, row.id);
    this.servers.announceReceiver(ctx, { accountId: row.accountId, spaceId });
    return this.view(row);
  }

  /** A repeat waits for nothing, and says whether the user was loaded meanwhile. */
  private async whenLoaded(ctx: Ctx, answer: NatsAccountWithSeed): Promise<NatsAccountWithSeed> {
    const { id: accountId, actorId, spaceId } = answer;
    this.servers.announce(ctx, { accountId, spaceId }, true);
    const isRepeat = ctx.answer.replayed === true;
    if (isRepeat || this.config.NATS_API_URL === '') {
      const row = isRepeat ? await this.get(ctx, { spaceId, accountId }) : answer;
      return { ...answer, admittedAt: row.admittedAt };
    }
    return { ...answer, admittedAt: await this.loaded.wait(actorId) };
  }

  private async addKey(
    tx: Tx,
    spaceId: string,
    { id, makerId, key }: { id: string; makerId: string; key: NatsUserKey },
  ): Promise<void> {
    const shownTo = key.seed === undefined ? null : makerId;
    if (!(await this.accounts.addKey(tx, spaceId, id, { publicKey: key.publicKey, shownTo })))
      throw new AppError('CONFLICT', 'An account of this platform has, or had, this public key. Make a new one.');
  }

  private async requireFreeName(tx: Tx, spaceId: string, name: string): Promise<void> {
    if (!(await this.accounts.isFreeName(tx, spaceId, name)))
      throw new AppError('CONFLICT', `The Space has an active NATS account named ${name}. Choose another name.`);
  }

  private async checkBound(tx: Tx, spaceId: string, limits: CreateNatsAccount['limits']): Promise<void> {
    if (limits?.requestsPerMinute === undefined || limits.requestsPerMinute === null) return;
    const ceiling = (await this.spaces.find(tx, spaceId))?.ceilings.requestsPerMinute ?? null;
    checkRequestsPerMinute(limits, ceiling ?? this.config.SPACE_RATE_LIMIT_PER_MINUTE);
  }

  private async getLocked(tx: Tx, ctx: Ctx, { spaceId, accountId }: OfNatsAccount): Promise<NatsAccountRow> {
    const row = await this.accounts.findLocked(tx, requireOwnSpace(ctx, spaceId), accountId);
    if (!row) throw unknownAccount();
    return row;
  }

  private shown(row: NatsAccountRow, { seed }: NatsUserKey): NatsAccountWithSeed {
    return { ...this.view(row), ...(seed === undefined ? {} : { seed }) };
  }

  private view(row: NatsAccountRow): NatsAccountView {
    return natsAccountView(row, this.config.NATS_API_URL);
  }
}

const userKeyOf = (publicKey: string | undefined): NatsUserKey =>
  publicKey === undefined ? makeNatsUserKey() : { publicKey };

const isOff = (): AppError =>
  new AppError('CONFLICT', 'The NATS API of this platform is off: its operator sets NATS_API_URL.');
