import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { KeyConfig } from '../key.config';
import { SigningKeys } from './signing-keys.service';

export interface AccessTokenSubject {
  userId: string;
  spaceId: string;
  signInId: string;
  tokenId: string;
  /** In seconds. */
  issuedAt: number;
}

@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: KeyConfig,
  ) {}

  get lifeSeconds(): number {
    return this.config.ACCESS_TOKEN_SECONDS;
  }

  /** Names the person, one Space and the sign-in. Says nothing about role or membership: those are looked up. */
  async issue(subject: AccessTokenSubject): Promise<string> {
    const { kid, algorithm, privateKey } = await this.keys.current();
    const { tokenId, issuedAt } = subject;
    return new SignJWT({ space: subject.spaceId, sid: subject.signInId })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
      .setIssuer(this.config.JWT_ISSUER)
      .setAudience(this.config.JWT_AUDIENCE)
      .setSubject(subject.userId)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + this.config.ACCESS_TOKEN_SECONDS)
      .sign(privateKey);
  }
}
