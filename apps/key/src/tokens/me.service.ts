import { Injectable } from '@nestjs/common';
import { type Ctx, type Me, NO_SPACE, type PlatformView, requireSpace, requireUser } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { SpacesRepository } from '../db/spaces.repository';
import { type UserRow, UsersRepository } from '../db/users.repository';
import { KeyConfig } from '../key.config';
import { spaceView, userView } from '../spaces/space-view';

@Injectable()
export class MeService {
  constructor(
    private readonly database: Database,
    private readonly spaces: SpacesRepository,
    private readonly users: UsersRepository,
    private readonly natsAccounts: NatsAccountsRepository,
    private readonly config: KeyConfig,
  ) {}

  async me(ctx: Ctx): Promise<Me> {
    if (ctx.credentialType === 'operator_key') return { user: null, space: null, role: null, credential: keyOf(ctx) };
    if (ctx.credentialType === 'nats_account') return this.account(ctx);
    const userId = requireUser(ctx);
    const credential =
      // A sign-in may do all that its person may, what keys are given by name alone included.
      ctx.credentialType === 'api_key' ? keyOf(ctx) : { type: 'jwt' as const, scopes: ['*'] };
    const { spaceId } = ctx;
    return this.database.inSpace(spaceId ?? NO_SPACE, async (tx) => {
      const user = await this.users.find(tx, userId);
      const space = spaceId === null ? null : await this.spaces.findOfMember(tx, spaceId, userId);
      if (!user || (spaceId !== null && !space)) throw new AppError('UNAUTHORIZED', 'The credential is not valid.');
      return {
        user: userView(user),
        space: space && spaceView(space),
        role: space?.role ?? null,
        credential,
        platform: this.platform(user),
      };
    });
  }

  private account(ctx: Ctx): Promise<Me> {
    const userId = requireUser(ctx);
    return this.database.transaction(ctx, async (tx) => {
      const spaceId = requireSpace(ctx);
      const account = await this.natsAccounts.findActive(tx, spaceId, userId);
      const space = await this.spaces.findOfMember(tx, spaceId, userId);
      if (!account || !space) throw new AppError('UNAUTHORIZED', 'The credential is not valid.');
      const { accountId, name, createdAt } = account;
      return {
        user: { id: userId, email: '', name, createdAt, type: 'SERVICE' },
        space: spaceView(space),
        role: space.role,
        credential: { type: 'nats_account', accountId, scopes: [...ctx.scopes] },
        platform: this.platform({ operator: false }),
      };
    });
  }

  private platform({ operator }: Pick<UserRow, 'operator'>): PlatformView {
    const { SPACE_CREATION: spaceCreation, SPACE_OWNERS_MAY_CREDIT: ownersMayCredit } = this.config;
    const isUnbounded = spaceCreation === 'MEMBERS' && ownersMayCredit;
    return { spaceCreation, ownersMayCredit, ...(operator && isUnbounded ? { warning: UNBOUNDED } : {}) };
  }
}

/** Warns operators if the configuration allows spending without a payer. */
export const UNBOUNDED =
  'SPACE_CREATION=MEMBERS together with SPACE_OWNERS_MAY_CREDIT=true lets any account spend tokens without limit.';

const keyOf = (ctx: Ctx): Me['credential'] => ({
  type: 'api_key',
  keyId: ctx.credentialId ?? undefined,
  scopes: [...(ctx.operator?.scopes ?? ctx.scopes)],
});
