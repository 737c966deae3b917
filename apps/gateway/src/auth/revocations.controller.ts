import { Controller } from '@nestjs/common';
import { KeySignals } from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import type {
  AccountTouched,
  Ctx,
  CredentialAltered,
  CredentialEnded,
  MemberTouched,
  NatsAccountChanged,
  Nothing,
} from '@switchyard/contracts';
import { SpacePolicyCache } from '@switchyard/service';
import { ActiveResponses } from './active-responses';
import { LoadableNatsAccounts } from './loadable-nats-accounts';
import { TokenVerificationKeys } from './token-verification-keys';
import { Principals } from './principals';

/** Hears what became of credentials, and forgets them at once. */
@Controller()
export class RevocationsController {
  constructor(
    private readonly principals: Principals,
    private readonly keys: TokenVerificationKeys,
    private readonly streams: ActiveResponses,
    private readonly natsAccounts: LoadableNatsAccounts,
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

  @Handles(KeySignals.natsAccountChanged)
  onNatsAccount(data: NatsAccountChanged, _ctx: Ctx): void {
    this.natsAccounts.onChanged(data);
  }

  @Handles(KeySignals.signingKeysChanged)
  onSigningKeys(_data: Nothing, _ctx: Ctx): void {
    this.keys.invalidate();
  }
}
