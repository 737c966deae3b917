import { Inject, Injectable } from '@nestjs/common';
import {
  ACCOUNT_IS_DISABLED,
  type AreMembers,
  type Ctx,
  type ExternalPerson,
  type MemberIdentity,
  type MembersFound,
  NO_SPACE,
  STRONG_FOR_MS,
  type ResolveExternalIdentity,
  type ResolveMember,
  type ResolveSignIn,
  type SignInIdentity,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock, type ErrorDetail } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { MembersRepository } from '../db/members.repository';
import { SignInsRepository } from '../db/sign-ins.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { type UserRow, UsersRepository } from '../db/users.repository';
import { normalEmail } from '../domain/normalize-email';
import { keyStatus } from '../domain/key-status';
import { standingOf } from '../domain/space-suspension-data';
import { KeyConfig } from '../key.config';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';

const ACCOUNTS_LINKED = 100;

/** A person's identity, and their current role in a Space. */
@Injectable()
export class Identities {
  constructor(
    private readonly database: Database,
    private readonly accounts: OperatorAccountsRepository,
    private readonly apiKeys: ApiKeysRepository,
    private readonly natsAccounts: NatsAccountsRepository,
    private readonly members: MembersRepository,
    private readonly signIns: SignInsRepository,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  member({ userId, spaceId, signInId, keyId }: ResolveMember): Promise<MemberIdentity> {
    return this.database.inSpace(spaceId, async (tx) => {
      let signedInAt: string | null = null;
      if (signInId !== undefined) {
        const signIn = await this.signIns.find(tx, spaceId, signInId);
        if (!signIn || signIn.revokedAt !== null || signIn.userId !== userId) throw notAMember();
        signedInAt = signIn.signedInAt;
      }
      // An account of a service is its own user.
      if (keyId !== undefined && keyId !== userId) {
        const key = await this.apiKeys.find(tx, spaceId, keyId);
        if (key?.userId !== userId || keyStatus(key, this.clock.now()) !== 'ACTIVE') throw notAMember();
      }
      const member =
        (await this.members.findActive(tx, spaceId, userId)) ??
        (await this.natsAccounts.findActing(tx, spaceId, userId));
      if (!member) throw await this.refusalOf(tx, spaceId, userId);
      return {
        userId,
        spaceId,
        email: member.email,
        name: member.name,
        role: member.role,
        ...(member.operator ? operatorFacts(signedInAt) : {}),
        ...standingOf(member),
      };
    });
  }

  /** `findActive` finds no member whose account is disabled. */
  private async refusalOf(tx: Tx, spaceId: string, userId: string): Promise<AppError> {
    const isMember = (await this.members.find(tx, spaceId, userId)) !== null;
    return notAMember(isMember ? [ACCOUNT_IS_DISABLED] : undefined);
  }

  /** A sign-in that has opened no Space goes on as long as its person is an operator. */
  signIn({ userId, signInId }: ResolveSignIn): Promise<SignInIdentity> {
    return this.database.inSpace(NO_SPACE, async (tx) => {
      const signIn = await this.signIns.find(tx, NO_SPACE, signInId);
      if (!signIn || signIn.revokedAt !== null || signIn.userId !== userId) throw notAMember();
      const user = await this.users.find(tx, userId);
      if (!user?.operator || user.disabledAt !== null) throw notAMember();
      return { userId, ...operatorFacts(signIn.signedInAt) };
    });
  }

  areMembers(ctx: Ctx, { userIds }: AreMembers): Promise<MembersFound> {
    return this.database.transaction(ctx, async (tx) => {
      const members = new Set(await this.members.among(tx, requireSpace(ctx), userIds));
      return { members: [...members], strangers: userIds.filter((id) => !members.has(id.toLowerCase())) };
    });
  }

  /** The person is named by issuer and subject; the e-mail serves once, to find the accounts, where that is allowed. */
  async external(ctx: Ctx, identity: ResolveExternalIdentity): Promise<ExternalPerson> {
    const { found, ended } = await this.database.system('resolve an external identity', async (tx) => {
      const linked = await this.users.listLinked(tx, identity.issuer, identity.subject);
      const link = linked.length > 0 ? { users: linked, ended: [] } : await this.linkByEmail(tx, ctx, identity);
      const user = link.users.find(({ disabledAt }) => disabledAt === null);
      const space = user && (await this.spaces.findOldestOfUser(tx, user.id));
      return { found: user && (space || user.operator) ? { user, space: space ?? null } : null, ended: link.ended };
    });
    await this.signals.revoked(ctx, ended);
    if (!found) throw new AppError('UNAUTHORIZED', 'This identity is linked to no account here.');
    const { user, space } = found;
    const { id: userId, email, name } = user;
    if (!space) return { userId, spaceId: null, email, name, role: null };
    const standing = standingOf({
      spaceStatus: space.status,
      spaceSuspendedReason: space.suspendedReason,
      spaceRequestsPerMinute: space.ceilings.requestsPerMinute ?? null,
    });
    return { userId, spaceId: space.id, email, name, role: space.role, ...standing };
  }

  /** Asked for by the person themself, who has shown both credentials. */
  link(ctx: Ctx, { issuer, subject }: ResolveExternalIdentity): Promise<void> {
    if (ctx.credentialType !== 'jwt') {
      throw new AppError('FORBIDDEN', 'Linking an identity needs the access token of a signed-in person.');
    }
    const userId = requireUser(ctx);
    return this.database.system('link an external identity', async (tx) => {
      const linked = await this.users.listLinked(tx, issuer, subject);
      if (linked.some(({ id }) => id === userId)) return;
      await this.requireStrong(tx, ctx, userId);
      if (linked.length > 0) throw new AppError('CONFLICT', 'This identity is linked to another account already.');
      if (await this.users.link(tx, issuer, subject, userId)) {
        await this.log.ofAccount(tx, ctx, 'identity.linked', userId, { issuer });
        return;
      }
      throw new AppError('CONFLICT', 'This account is linked to another identity of the issuer already.');
    });
  }

  /**
   * The identity opens all that its account opens, for an operator the routes of operators: as their other strong acts.
   */
  private async requireStrong(tx: Tx, ctx: Ctx, userId: string): Promise<void> {
    if ((await this.users.find(tx, userId))?.operator !== true) return;
    const since = ctx.signedInAt ?? Date.parse((await this.signIns.timeOf(tx, ctx.credentialId ?? '')) ?? '');
    if (!(this.clock.now().getTime() - since <= STRONG_FOR_MS))
      throw new AppError(
        'FORBIDDEN',
        'An operator needs a sign-in within the last ten minutes for this: sign in again.',
      );
  }

  /**
   * A verified address matches accounts that its owner has made, except operators', and ends their passwords and
   * sessions, unless the account is the last OWNER of a Space. Accounts that an ADMIN made with a password do not
   * match: an ADMIN can use any address. An account linked to an identity of this issuer matches no other one.
   */
  private async linkByEmail(
    tx: Tx,
    ctx: Ctx,
    { issuer, subject, email, emailVerified }: ResolveExternalIdentity,
  ): Promise<{ users: UserRow[]; ended: string[] }> {
    const mayLink = this.config.OIDC_LINK_BY_EMAIL && emailVerified === true && email !== undefined;
    if (!mayLink) return { users: [], ended: [] };
    const users = await this.users.listUnlinked(tx, issuer, normalEmail(email), ACCOUNTS_LINKED);
    const ended: string[] = [];
    for (const user of users) {
      await this.users.link(tx, issuer, subject, user.id);
      // Without a password, the Space would have no member who can sign in to the console.
      const isLastOwner = (await this.accounts.listLastOwned(tx, user.id, issuer)).length > 0;
      if (!isLastOwner) {
        await this.users.endPassword(tx, user.id);
        ended.push(...(await this.signIns.revokeOfUser(tx, user.id, null)));
      }
      await this.log.ofAccount(tx, ctx, 'identity.linked', user.id, { issuer, by: 'email' });
    }
    return { users, ended };
  }
}

const operatorFacts = (signedInAt: string | null): { operator: true; signedInAt?: string } => ({
  operator: true,
  ...(signedInAt === null ? {} : { signedInAt }),
});

const notAMember = (details?: ErrorDetail[]): AppError =>
  new AppError('NOT_FOUND', 'This person is no member of the Space.', details && { details });
