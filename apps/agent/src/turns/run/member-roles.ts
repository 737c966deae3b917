import { Injectable } from '@nestjs/common';
import { actAs, KeyCalls, type Role, serviceCtx, type TurnIdentity } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';

type Acting = Pick<TurnIdentity, 'spaceId' | 'userId' | 'credentialId' | 'credentialType'>;

/** Current roles of the users of turns. */
@Injectable()
export class MemberRoles {
  constructor(private readonly bus: Bus) {}

  /** Null for a person who has left. `withKey`: also if the acting API key is no longer active. */
  async roleOf(
    { spaceId, userId, credentialId, credentialType }: Acting,
    { withKey }: { withKey: boolean },
  ): Promise<Role | null> {
    const ctx = actAs(serviceCtx('agent'), { spaceId });
    const keyId = withKey && credentialType === 'api_key' && credentialId !== null ? credentialId : undefined;
    try {
      return (await this.bus.call(KeyCalls.resolveMember, ctx, { userId, spaceId, keyId })).role;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}
