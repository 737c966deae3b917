import { type Ctx, makeCtx } from '@switchyard/contracts';
import type { TestSpace } from '@switchyard/testing';

/** As the gateway calls a service for the owner of a Space who has signed in. */
export function ownerCtx({ id: spaceId, owner }: TestSpace): Ctx {
  const userId = owner.identity.userId ?? '';
  return makeCtx({
    spaceId,
    userId,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: userId,
    credentialType: 'jwt',
    applicationId: null,
  });
}
