import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '@switchyard/kernel';
import { CLOCK } from '@switchyard/service';
import { SignJWT } from 'jose';
import { KeyConfig } from '../key.config';
import { type SigningKey, SigningKeys } from './signing-keys.service';

export interface AccessTokenSubject {
  userId: string;
  /** Null: the person has opened no Space. */
  spaceId: string | null;
  signInId: string;
}

export type SignAccessToken = (subject: AccessTokenSubject) => Promise<string>;

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

  /**
   * Signs tokens that name the person, one Space and the sign-in, and nothing about role or membership: those are looked
   * up. It has its key already: within a transaction it waits for no second connection.
   */
  async signer(): Promise<SignAccessToken> {
    const key = await this.keys.current();
    return (subject) => this.sign(key, subject);
  }

  private sign({ kid, algorithm, privateKey }: SigningKey, subject: AccessTokenSubject): Promise<string> {
    const issuedAt = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT({ ...(subject.spaceId === null ? {} : { space: subject.spaceId }), sid: subject.signInId })
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
