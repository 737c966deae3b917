import { Injectable } from '@nestjs/common';
import {
  type AddMember,
  type ChangeRole,
  type Ctx,
  type ListInSpace,
  type MemberRef,
  type MemberRemoved,
  type MemberView,
  type Page,
  type Role,
} from '@switchyard/contracts';
import { Database, type Tx, ceilingReached, listByTime } from '@switchyard/database';
import { AppError, newId } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { InvitationsRepository } from '../db/invitations.repository';
import { type ListedMember, type MemberRow, MembersRepository } from '../db/members.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { UsersRepository } from '../db/users.repository';
import { normalEmail } from '../domain/normalize-email';
import { rolesBeyond } from '../domain/role-change-rules';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { KeyHasher } from '../secrets/key-hasher';
import { PasswordHashing } from '../secrets/password-hashing';
import { requireOwnSpace } from '../domain/require-own-space';
import { Accounts } from '../users/accounts.service';
import { EntityLimits } from '../limits/entity-limits';
import { InvitationsService } from './invitations.service';
import { MemberChanges, unknownMember } from './member-changes';
import { invitedView, listedMemberView, memberView } from './member-view';

const LIST = listByTime('members', (row: ListedMember) => ({ at: row.createdAt, id: row.userId }));

@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeysRepository,
    private readonly invitationRows: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly natsAccounts: NatsAccountsRepository,
    private readonly signIns: SignInsRepository,
    private readonly users: UsersRepository,
    private readonly decisions: MemberChanges,
    private readonly accounts: Accounts,
    private readonly invitations: InvitationsService,
    private readonly passwordHashing: PasswordHashing,
    private readonly slots: EntityLimits,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
  ) {}

  list(ctx: Ctx, request: ListInSpace): Promise<Page<MemberView>> {
    const window = LIST.windowOf(request);
    return this.database.transaction(ctx, async (tx) => {
      const rows = await this.members.list(tx, requireOwnSpace(ctx, request.spaceId), window);
      return LIST.pageOf(rows, window, listedMemberView);
    });
  }

  /** With a password: an account of this Space, at once. Without one: an invitation. */
  async add(ctx: Ctx, request: AddMember): Promise<MemberView> {
    const spaceId = requireOwnSpace(ctx, request.spaceId);
    const { role } = request;
    const email = normalEmail(request.email);
    // Before the transaction: a slow hash must not hold the Space.
    const passwordHash =
      request.password === undefined ? null : await this.passwordHashing.hash(spaceId, request.password);
    const work = async (tx: Tx): Promise<MemberView> => {
      const { ceilings } = await this.decisions.lockSpace(tx, ctx, spaceId);
      await this.decisions.requireAllowed(tx, ctx, { from: null, to: role });
      await this.requireNewEmail(tx, spaceId, email);
      this.requirePlace(await this.members.countPlaces(tx, spaceId), ceilings.members ?? null);
      if (passwordHash === null) return this.invitations.invite(tx, ctx, { spaceId, email, role });
      const user = await this.accounts.create(tx, ctx, {
        id: newId(),
        email,
        passwordHash,
        spaceId,
        passwordByOthers: true,
      });
      await this.members.insert(tx, { spaceId, userId: user.id, role });
      await this.log.inSpace(tx, ctx, 'member.added', user.id, { role, newAccount: true });
      return memberView(await this.getMember(tx, spaceId, user.id));
    };
    return this.database.once(this.hasher.keyedFingerprint(ctx), work, { secretFields: ['invitation'] });
  }

  async changeRole(ctx: Ctx, { spaceId, userId, role }: ChangeRole): Promise<MemberView> {
    const view = await this.database.transaction(ctx, async (tx) => {
      await this.decisions.lockSpace(tx, ctx, spaceId);
      const invited = await this.invitationRows.find(tx, spaceId, userId);
      const before = invited ?? (await this.getMember(tx, spaceId, userId));
      await this.decisions.requireAllowed(tx, ctx, { from: before.role, to: role });
      await this.log.inSpace(tx, ctx, 'member.role-changed', userId, { from: before.role, to: role });
      if (invited) {
        await this.invitationRows.setRole(tx, spaceId, userId, role);
        return invitedView({ ...invited, role });
      }
      await this.members.setRole(tx, spaceId, userId, role);
      await this.withdrawInvitations(tx, spaceId, userId, role);
      return memberView({ ...(before as MemberRow), role });
    });
    this.signals.memberChanged(ctx, spaceId, userId);
    return view;
  }

  /** The membership ends, and with it every key and sign-in that acted by it; an invitation is withdrawn. */
  async remove(ctx: Ctx, { spaceId, userId }: MemberRef): Promise<MemberRemoved> {
    const removed = await this.database.transaction(ctx, async (tx) => {
      await this.decisions.lockSpace(tx, ctx, spaceId);
      const invited = await this.invitationRows.find(tx, spaceId, userId);
      const before = invited ?? (await this.getMember(tx, spaceId, userId));
      await this.decisions.requireAllowed(tx, ctx, { from: before.role, to: null });
      if (invited) {
        await this.invitationRows.take(tx, spaceId, userId);
        await this.log.inSpace(tx, ctx, 'member.removed', userId, { role: invited.role, invited: true });
        return null;
      }
      await this.members.remove(tx, spaceId, userId);
      await this.withdrawInvitations(tx, spaceId, userId, null);
      const keys = await this.apiKeys.revokeOfUser(tx, spaceId, userId);
      const signIns = await this.signIns.revokeOfMember(tx, spaceId, userId);
      await this.log.inSpace(tx, ctx, 'member.removed', userId, { role: before.role, revokedKeys: keys });
      return { ended: [...keys, ...signIns], knows: await this.natsAccounts.listShownTo(tx, spaceId, userId) };
    });
    if (removed !== null) {
      this.signals.memberChanged(ctx, spaceId, userId);
      await this.signals.revoked(ctx, removed.ended);
      await this.dropWithoutSpace(ctx, userId);
    }
    const knows = removed?.knows ?? [];
    return { id: userId, deleted: true, ...(knows.length === 0 ? {} : { knows }) };
  }

  /** The operator's ceiling stands for that of the configuration. */
  private requirePlace(used: number, ceiling: number | null): void {
    if (ceiling === null) this.slots.requireFree('members', used);
    else if (used >= ceiling) throw ceilingReached('members', ceiling);
  }

  private async requireNewEmail(tx: Tx, spaceId: string, email: string): Promise<void> {
    if (await this.members.hasEmail(tx, spaceId, email)) {
      throw new AppError('CONFLICT', 'The Space has a member with this e-mail already. Change the role instead.');
    }
    if (await this.invitationRows.hasEmail(tx, spaceId, email)) {
      throw new AppError('CONFLICT', 'This e-mail is invited already. Remove the invitation to make another one.');
    }
  }

  /** Open invitations may not grant roles that their sender can no longer grant. */
  private async withdrawInvitations(tx: Tx, spaceId: string, userId: string, role: Role | null): Promise<void> {
    const roles = rolesBeyond(role);
    if (roles.length > 0) await this.invitationRows.withdrawOf(tx, spaceId, userId, roles);
  }

  private dropWithoutSpace(ctx: Ctx, userId: string): Promise<void> {
    return this.database.system('drop an account without a Space', async (tx) => {
      if ((await this.users.dropWithoutSpace(tx, userId)) === 0) return;
      await this.log.ofAccount(tx, ctx, 'account.dropped', userId);
    });
  }

  private async getMember(tx: Tx, spaceId: string, userId: string): Promise<MemberRow> {
    const member = await this.members.find(tx, spaceId, userId);
    if (!member) throw unknownMember();
    return member;
  }
}
