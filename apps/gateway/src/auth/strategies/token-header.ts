import { type JWTPayload, type ProtectedHeaderParameters, decodeProtectedHeader, errors } from 'jose';

/** Reads the header of an unverified token: only to choose a key, and to refuse. */
export function readHeader(token: string): ProtectedHeaderParameters {
  const header = decodeProtectedHeader(token);
  // jsonwebtoken ignores `crit` (RFC 7515, 4.1.11). We understand no extension, so any that is critical is refused.
  if (header.crit !== undefined) throw new errors.JOSENotSupported('a critical header');
  return header;
}

const typeName = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

/** jsonwebtoken does not look at `typ`: without this an id_token would do as an access token. */
export function requireType(header: ProtectedHeaderParameters, typ: string): void {
  if (typeof header.typ !== 'string' || typeName(header.typ) !== typeName(typ))
    throw new errors.JOSENotSupported('another type of token');
}

/** jsonwebtoken takes a token without these; one without an end would be good for ever. */
export function requireClaims(payload: JWTPayload, claims: readonly string[]): JWTPayload {
  const missing = claims.filter((claim) => payload[claim] === undefined);
  if (missing.length > 0) throw new errors.JWTClaimValidationFailed(`no ${missing.join(', ')}`, payload);
  return payload;
}
