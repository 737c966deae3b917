import { Controller } from '@nestjs/common';
import { KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import type {
  AccountTouched,
  Ctx,
  CredentialAltered,
  CredentialEnded,
  MemberTouched,
  Nothing,
} from '@switchyard/contracts';
import { SpacePolicyCache } from '@switchyard/service';
import { ActiveResponses } from './active-responses';
import { TokenVerificationKeys } from './token-verification-keys';
import { Principals } from './principals';

/** Hears what became of credentials, and forgets them at once. */
@Controller()
export class RevocationsController {
  constructor(
    private readonly principals: Principals,
    private readonly keys: TokenVerificationKeys,
    private readonly streams: ActiveResponses,
    policies: SpacePolicyCache,
  ) {
    policies.onChange((spaceId) => {
      principals.cache.spaceChanged(spaceId);
      streams.recheck((identity) => identity.spaceId === spaceId);
    });
  }

  @Handles(KeySignals.credentialRevoked)
  onRevoked(data: CredentialEnded, _ctx: Ctx): void {
    this.principals.cache.end(data.credentialId, Number.MAX_SAFE_INTEGER);
    this.streams.end(({ credentialId }) => credentialId === data.credentialId);
  }

  @Handles(KeySignals.credentialChanged)
  onChanged(data: CredentialAltered, _ctx: Ctx): void {
    this.principals.cache.end(data.credentialId, data.version);
    this.streams.endWithRights(({ credentialId }) => credentialId === data.credentialId);
  }

  @Handles(KeySignals.memberChanged)
  onMember(data: MemberTouched, _ctx: Ctx): void {
    this.principals.cache.memberChanged(data.spaceId, data.userId);
    this.streams.recheck((identity) => identity.spaceId === data.spaceId && identity.userId === data.userId);
  }

  @Handles(KeySignals.accountChanged)
  onAccount(data: AccountTouched, _ctx: Ctx): void {
    this.principals.cache.accountChanged(data.userId);
    this.streams.recheck((identity) => identity.userId === data.userId);
  }

  @Handles(KeySignals.signingKeysChanged)
  onSigningKeys(_data: Nothing, _ctx: Ctx): void {
    this.keys.invalidate();
  }
}
