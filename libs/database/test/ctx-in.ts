import { type Ctx, makeCtx } from '@switchyard/contracts';

/** The context of a request of somebody in this Space. */
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
