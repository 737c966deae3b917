import { Injectable } from '@nestjs/common';
import {
  type AddMember,
  type ChangeRole,
  type Ctx,
  type ListInSpace,
  type MemberRef,
  type MemberView,
  type Page,
  type Role,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { apiKeysRepository } from '../db/api-keys.repository';
import { type MemberRow, membersRepository } from '../db/members.repository';
import { signInsRepository } from '../db/sign-ins.repository';
import { spacesRepository } from '../db/spaces.repository';
import { type MemberRefusal, refuseRoleChange } from '../domain/member-rules';
import { pageOfRows, pageQuery } from '../domain/page-place';
import { CredentialNews } from '../secrets/credential-news';
import { KeyHasher } from '../secrets/key-hasher';
import { Passwords } from '../secrets/passwords';
import { ownSpace, unknownSpace } from '../spaces/own-space';
import { Accounts } from '../users/accounts.service';

const LIST = 'members';

@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
    private readonly news: CredentialNews,
  ) {}

  list(ctx: Ctx, request: ListInSpace): Promise<Page<MemberView>> {
    return this.database.transaction(ctx, async (tx) => {
      const rows = await membersRepository.list(tx, ownSpace(ctx, request.spaceId), pageQuery(LIST, request));
      return pageOfRows(LIST, rows, request, (row) => ({ at: row.createdAt, id: row.userId }), memberView);
    });
  }

  async add(ctx: Ctx, request: AddMember): Promise<MemberView> {
    const spaceId = ownSpace(ctx, request.spaceId);
    // Before the transaction: a slow hash must not hold the Space.
    const passwordHash = request.password === undefined ? null : await this.passwords.hash(request.password);
    return this.database.once(this.withKeyedFingerprint(ctx), async (tx) => {
      await this.decide(tx, ctx, { from: null, to: request.role });
      const { user, isNew } = await this.accounts.findOrCreate(tx, ctx, { email: request.email, passwordHash });
      if (!(await membersRepository.insert(tx, spaceId, user.id, request.role))) {
        throw new AppError('CONFLICT', 'This person is a member already. Change the role instead.');
      }
      await this.log.inSpace(tx, ctx, 'member.added', user.id, { role: request.role, newAccount: isNew });
      return memberView(await this.getMember(tx, spaceId, user.id));
    });
  }

  async changeRole(ctx: Ctx, { spaceId, userId, role }: ChangeRole): Promise<MemberView> {
    const view = await this.database.transaction(ctx, async (tx) => {
      await this.lock(tx, ctx, spaceId);
      const before = await this.getMember(tx, spaceId, userId);
      await this.decide(tx, ctx, { from: before.role, to: role });
      await membersRepository.setRole(tx, spaceId, userId, role);
      await this.log.inSpace(tx, ctx, 'member.role-changed', userId, { from: before.role, to: role });
      return memberView({ ...before, role });
    });
    this.news.memberChanged(ctx, spaceId, userId);
    return view;
  }

  /** The membership ends, and with it every key and sign-in that acted by it. */
  async remove(ctx: Ctx, { spaceId, userId }: MemberRef): Promise<void> {
    const dead = await this.database.transaction(ctx, async (tx) => {
      await this.lock(tx, ctx, spaceId);
      const before = await this.getMember(tx, spaceId, userId);
      await this.decide(tx, ctx, { from: before.role, to: null });
      await membersRepository.remove(tx, spaceId, userId);
      const keys = await apiKeysRepository.revokeOfUser(tx, spaceId, userId);
      const signIns = await signInsRepository.revokeOfMember(tx, spaceId, userId);
      await this.log.inSpace(tx, ctx, 'member.removed', userId, { role: before.role, revokedKeys: keys });
      return [...keys, ...signIns];
    });
    this.news.memberChanged(ctx, spaceId, userId);
    await this.news.revoked(ctx, dead);
  }

  /** The body holds a password, and a plain hash of it in the table of idempotent answers would invite guessing. */
  private withKeyedFingerprint(ctx: Ctx): Ctx {
    if (!ctx.idempotency) return ctx;
    const fingerprint = this.hasher.digest(ctx.idempotency.fingerprint).digest.toString('base64url');
    return { ...ctx, idempotency: { ...ctx.idempotency, fingerprint } };
  }

  private async lock(tx: Tx, ctx: Ctx, spaceId: string): Promise<void> {
    if (!(await spacesRepository.findLocked(tx, ownSpace(ctx, spaceId)))) throw unknownSpace();
  }

  private async getMember(tx: Tx, spaceId: string, userId: string): Promise<MemberRow> {
    const member = await membersRepository.find(tx, spaceId, userId);
    if (!member) throw new AppError('NOT_FOUND', 'This Space has no such member.');
    return member;
  }

  /** With the caller's role of this moment, not the one that the credential was verified with. */
  private async decide(tx: Tx, ctx: Ctx, change: { from: Role | null; to: Role | null }): Promise<void> {
    const spaceId = ownSpace(ctx);
    const actor = await membersRepository.find(tx, spaceId, requireUser(ctx));
    const owners = await membersRepository.countOwners(tx, spaceId);
    const refusal = actor ? refuseRoleChange({ actor: actor.role, owners, ...change }) : 'NEEDS_ADMIN';
    if (refusal !== null) throw REFUSALS[refusal]();
  }
}

const REFUSALS: Record<MemberRefusal, () => AppError> = {
  NEEDS_ADMIN: () => new AppError('FORBIDDEN', 'Only an ADMIN or OWNER of the Space manages its members.'),
  NEEDS_OWNER: () => new AppError('FORBIDDEN', 'Only an OWNER grants, changes or removes an OWNER.'),
  LAST_OWNER: () => new AppError('CONFLICT', 'This is the last OWNER of the Space. Make somebody else OWNER first.'),
};

const memberView = (row: MemberRow): MemberView => ({
  userId: row.userId,
  email: row.email,
  name: row.name,
  role: row.role,
  createdAt: row.createdAt,
});
