import { type Ctx, makeCtx } from '@switchyard/contracts';

/** Context of a user's request in this Space. */
export const ctxIn = (spaceId: string, userId: string | null = null): Ctx =>
  makeCtx({
    spaceId,
    userId,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });
