import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { KeyCalls, type VerifiedKey, serviceCtx } from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import passport from 'passport';
import { type PresentedCredential, strategies } from './authenticate';

export const API_KEY = 'api-key';

type Verified = (error: Error | null, key: VerifiedKey | null) => void;

/** Methods that passport adds to a strategy for each verification. */
interface Decision {
  success(user: object): void;
  error(error: Error): void;
}

class CredentialStrategy extends passport.Strategy {
  constructor(private readonly verify: (credential: string, verified: Verified) => void) {
    super();
  }

  override authenticate(this: this & Decision, presented: unknown): void {
    this.verify((presented as PresentedCredential).credential, (error, key) => {
      if (key) this.success(key);
      else this.error(error ?? new Error('the key service said nothing about the key'));
    });
  }
}

/** API keys. Only the key service can tell them: it alone holds what their digests are made with. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(CredentialStrategy, API_KEY) {
  constructor(private readonly bus: Bus) {
    super();
  }

  protected getPassportInstance(): typeof strategies {
    return strategies;
  }

  validate(key: string): Promise<VerifiedKey> {
    return this.bus.call(KeyCalls.verifyKey, serviceCtx('gateway'), { key }, { timeoutMs: 5000 });
  }
}
