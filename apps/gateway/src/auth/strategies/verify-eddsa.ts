import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';

interface EdDsaRules {
  issuer: string;
  audience: string;
  typ: string;
  requiredClaims: string[];
  clockTolerance: number;
}

/** For external issuers that sign with EdDSA, which jsonwebtoken, and so passport-jwt, cannot verify. */
export const verifyEdDsa = async (token: string, getKey: JWTVerifyGetKey, rules: EdDsaRules): Promise<JWTPayload> =>
  (await jwtVerify(token, getKey, { ...rules, algorithms: ['EdDSA'] })).payload;
