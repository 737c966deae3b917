import { Injectable } from '@nestjs/common';
import {
  type AreMembers,
  type Ctx,
  type MemberIdentity,
  type MembersFound,
  type ResolveExternalIdentity,
  type ResolveMember,
  requireSpace,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { membersRepository } from '../db/members.repository';
import { signInsRepository } from '../db/sign-ins.repository';
import { spacesRepository } from '../db/spaces.repository';
import { type UserRow, usersRepository } from '../db/users.repository';
import { normalEmail } from '../domain/email';
import { KeyConfig } from '../key.config';

/** Who somebody is, and what they are in a Space at this moment. */
@Injectable()
export class Identities {
  constructor(
    private readonly database: Database,
    private readonly log: SecurityLog,
    private readonly config: KeyConfig,
  ) {}

  member({ userId, spaceId, signInId }: ResolveMember): Promise<MemberIdentity> {
    return this.database.inSpace(spaceId, async (tx) => {
      if (signInId !== undefined) {
        const signIn = await signInsRepository.find(tx, spaceId, signInId);
        if (!signIn || signIn.revokedAt !== null || signIn.userId !== userId) throw notAMember();
      }
      const member = await membersRepository.find(tx, spaceId, userId);
      if (!member) throw notAMember();
      return { userId, spaceId, email: member.email, name: member.name, role: member.role };
    });
  }

  areMembers(ctx: Ctx, { userIds }: AreMembers): Promise<MembersFound> {
    return this.database.transaction(ctx, async (tx) => {
      const members = new Set(await membersRepository.among(tx, requireSpace(ctx), userIds));
      return { members: [...members], strangers: userIds.filter((id) => !members.has(id.toLowerCase())) };
    });
  }

  /** The person is named by issuer and subject; the e-mail serves once, to find who that is. */
  external(ctx: Ctx, identity: ResolveExternalIdentity): Promise<MemberIdentity> {
    return this.database.system('resolve an external identity', async (tx) => {
      const user =
        (await usersRepository.findLinked(tx, identity.issuer, identity.subject)) ??
        (await this.linkByEmail(tx, ctx, identity));
      const space = user && (await spacesRepository.findOldestOfUser(tx, user.id));
      if (!user || !space) throw new AppError('UNAUTHORIZED', 'This identity belongs to nobody here.');
      return { userId: user.id, spaceId: space.id, email: user.email, name: user.name, role: space.role };
    });
  }

  /** Asked for by the person themself, who has shown both credentials. */
  link(ctx: Ctx, { issuer, subject }: ResolveExternalIdentity): Promise<void> {
    if (ctx.credentialType !== 'jwt') {
      throw new AppError('FORBIDDEN', 'Linking an identity needs the access token of a signed-in person.');
    }
    const userId = requireUser(ctx);
    return this.database.system('link an external identity', async (tx) => {
      if (await usersRepository.link(tx, issuer, subject, userId)) {
        await this.log.ofAccount(tx, ctx, 'identity.linked', userId, { issuer });
        return;
      }
      const owner = await usersRepository.findLinked(tx, issuer, subject);
      if (owner?.id !== userId) throw new AppError('CONFLICT', 'This identity, or this account, is linked otherwise.');
    });
  }

  private async linkByEmail(tx: Tx, ctx: Ctx, identity: ResolveExternalIdentity): Promise<UserRow | null> {
    if (!this.config.OIDC_LINK_BY_EMAIL || identity.emailVerified !== true || identity.email === undefined) return null;
    const user = await usersRepository.findByEmail(tx, normalEmail(identity.email));
    // Once somebody of this issuer is linked to the account, its address finds nobody else.
    if (!user || !(await usersRepository.link(tx, identity.issuer, identity.subject, user.id))) return null;
    await this.log.ofAccount(tx, ctx, 'identity.linked', user.id, { issuer: identity.issuer, by: 'email' });
    return user;
  }
}

const notAMember = (): AppError => new AppError('NOT_FOUND', 'This person is no member of the Space.');
