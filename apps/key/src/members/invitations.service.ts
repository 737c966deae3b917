import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptInvitation,
  type Ctx,
  type MemberView,
  type Role,
  type SignedIn,
  actAs,
  requireUser,
} from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { AppError, type Clock, invalid, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { type InvitationRow, InvitationsRepository } from '../db/invitations.repository';
import { MembersRepository } from '../db/members.repository';
import { type SpaceOfMember, SpacesRepository } from '../db/spaces.repository';
import { type UserRow, UsersRepository } from '../db/users.repository';
import { KeyConfig } from '../key.config';
import { AuthCacheInvalidation } from '../secrets/auth-cache-invalidation';
import { KeyHasher } from '../secrets/key-hasher';
import { PasswordHashing } from '../secrets/password-hashing';
import { SignIns } from '../tokens/sign-ins.service';
import { ANONYMOUS_CALLERS } from '../tokens/anonymous-callers';
import { Accounts } from '../users/accounts.service';
import { EntityLimits } from '../limits/entity-limits';
import { invitedView } from './member-view';

const HOUR_MS = 3_600_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** How people of other Spaces, and those who choose their own password, come into a Space. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly accounts: Accounts,
    private readonly passwordHashing: PasswordHashing,
    private readonly slots: EntityLimits,
    private readonly signIns: SignIns,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
    private readonly signals: AuthCacheInvalidation,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The answer shows the token, this once. The caller has checked what may be refused. */
  async invite(
    tx: Tx,
    ctx: Ctx,
    { spaceId, email, role }: { spaceId: string; email: string; role: Role },
  ): Promise<MemberView> {
    const token = randomBytes(32).toString('base64url');
    const row = await this.invitations.insert(tx, {
      id: newId(),
      spaceId,
      email,
      role,
      digest: this.hasher.digest(token).digest,
      expiresAt: new Date(this.clock.now().getTime() + this.config.INVITATION_HOURS * HOUR_MS).toISOString(),
      invitedBy: ctx.userId,
    });
    if (!row) throw new Error('an address without an open invitation could not be invited');
    await this.log.inSpace(tx, ctx, 'member.invited', row.id, { role });
    return { ...invitedView(row), invitation: { token, expiresAt: row.expiresAt } };
  }

  /** The account of a signed-in caller joins the Space; without one, the password makes an account of the Space. */
  async accept(ctx: Ctx, { token, password, client }: AcceptInvitation): Promise<SignedIn> {
    const isSignedIn = ctx.userId !== null;
    if (isSignedIn && ctx.credentialType !== 'jwt') {
      throw new AppError(
        'FORBIDDEN',
        'Accepting an invitation needs the access token of a signed-in person, not a key.',
      );
    }
    if (isSignedIn && password !== undefined) {
      throw invalid('password', 'must be left out by a signed-in user, whose account joins the Space');
    }
    const invitation = await this.find(token);
    if (!isSignedIn && password === undefined) {
      throw invalid('password', 'must be a string of 12 to 1024 characters, unless you are signed in');
    }
    const passwordHash = password === undefined ? null : await this.passwordHashing.hash(client, password);
    const { user, space, signedInAt } = await this.database.system('accept an invitation', async (tx) => ({
      ...(await this.join(tx, ctx, invitation, passwordHash)),
      signedInAt: isSignedIn ? await this.signIns.timeOf(tx, ctx) : this.signIns.now(),
    }));
    this.signals.memberChanged(ctx, space.id, user.id);
    return this.signIns.open(ctx, user, space, signedInAt);
  }

  private async find(token: string): Promise<InvitationRow> {
    const found = TOKEN.test(token)
      ? await this.database.system(
          'find an invitation',
          (tx) => this.invitations.findByToken(tx, this.hasher.candidates(token)),
          ANONYMOUS_CALLERS,
        )
      : null;
    if (!found) throw unknownInvitation();
    return found;
  }

  private async join(
    tx: Tx,
    ctx: Ctx,
    { spaceId, id }: InvitationRow,
    passwordHash: string | null,
  ): Promise<{ user: UserRow; space: SpaceOfMember }> {
    await this.spaces.findLocked(tx, spaceId);
    const invitation = await this.invitations.take(tx, spaceId, id);
    if (!invitation) throw unknownInvitation();
    const user =
      passwordHash === null
        ? await this.joiningUser(tx, ctx, spaceId)
        : await this.accounts.create(tx, ctx, {
            id,
            email: invitation.email,
            passwordHash,
            spaceId,
            passwordByOthers: false,
          });
    const { email: invitedEmail, role } = invitation;
    if (await this.members.hasEmail(tx, spaceId, user.email)) {
      throw new AppError('CONFLICT', 'The Space has a member with the e-mail of this account already.');
    }
    const named = user.email === invitedEmail ? {} : { invitedEmail };
    await this.members.insert(tx, { spaceId, userId: user.id, role, ...named });
    const asUser = actAs(ctx, { spaceId, userId: user.id });
    await this.log.inSpace(tx, asUser, 'member.joined', user.id, { role, newAccount: passwordHash !== null });
    const space = await this.spaces.findOfMember(tx, spaceId, user.id);
    if (!space) throw new Error('a member who has just joined is not there');
    return { user, space };
  }

  private async joiningUser(tx: Tx, ctx: Ctx, spaceId: string): Promise<UserRow> {
    const userId = requireUser(ctx);
    // Leaving its last Space would take the account along at this moment.
    const user = (await this.users.findLocked(tx, userId)) && (await this.users.find(tx, userId));
    if (!user) throw new AppError('UNAUTHORIZED', 'The credential is not valid.');
    if (await this.members.find(tx, spaceId, user.id)) {
      throw new AppError('CONFLICT', 'You are a member of this Space already.');
    }
    this.slots.requireFree('spaces', await this.spaces.countOfUser(tx, user.id), user.id);
    return user;
  }
}

/** One answer for a token that is unknown, used, withdrawn or over. */
const unknownInvitation = (): AppError =>
  new AppError('NOT_FOUND', 'Invitation not found. It may have been used, withdrawn, or be over: ask for another one.');
