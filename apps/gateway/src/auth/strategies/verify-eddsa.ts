import { type JWTPayload, type JWTVerifyGetKey, importSPKI, jwtVerify } from 'jose';

export interface EdDsaRules {
  issuer: string;
  audience: string;
  typ: string;
  requiredClaims: string[];
  clockTolerance: number;
}

/**
 * jsonwebtoken, and so passport-jwt, knows no EdDSA. Our own tokens of before ADR 34 are verified here until they
 * expire, and those of external issuers that sign with it.
 */
export async function verifyEdDsa(
  token: string,
  key: string | JWTVerifyGetKey,
  rules: EdDsaRules,
): Promise<JWTPayload> {
  const options = { ...rules, algorithms: ['EdDSA'] };
  if (typeof key !== 'string') return (await jwtVerify(token, key, options)).payload;
  return (await jwtVerify(token, await importSPKI(key, 'EdDSA'), options)).payload;
}
