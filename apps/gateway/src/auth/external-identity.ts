import type { ResolveExternalIdentity } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { JWTPayload } from 'jose';

/** Claims of a verified token of the external issuer. */
export function externalIdentity(payload: JWTPayload): ResolveExternalIdentity {
  const { iss, sub, email, email_verified: emailVerified } = payload;
  if (iss === undefined || sub === undefined || sub === '' || sub.length > 255) {
    throw new AppError('UNAUTHORIZED', 'The token names no person.');
  }
  return {
    issuer: iss,
    subject: sub,
    ...(typeof email === 'string' && email.length <= 320 ? { email } : {}),
    ...(typeof emailVerified === 'boolean' ? { emailVerified } : {}),
  };
}
