import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SignJWT } from 'jose';
import { KeyConfig } from '../key.config';
import { SigningKeys } from './signing-keys.service';

@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: KeyConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get lifeSeconds(): number {
    return this.config.ACCESS_TOKEN_SECONDS;
  }

  /** Names the person, one Space and the sign-in. Says nothing about role or membership: those are looked up. */
  async issue(subject: { userId: string; spaceId: string; signInId: string }): Promise<string> {
    const { kid, algorithm, privateKey } = await this.keys.current();
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT({ space: subject.spaceId, sid: subject.signInId })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
      .setIssuer(this.config.JWT_ISSUER)
      .setAudience(this.config.JWT_AUDIENCE)
      .setSubject(subject.userId)
      .setJti(newId())
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + this.config.ACCESS_TOKEN_SECONDS)
      .sign(privateKey);
  }
}
