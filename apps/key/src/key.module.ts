import { KeyPlatformEvents } from '@switchyard/contracts';
import { Module } from '@nestjs/common';
import { ServiceModule, platformEventsController } from '@switchyard/service';
import { SecurityEventsController } from './audit/security-events.controller';
import { SecurityEventsService } from './audit/security-events.service';
import { SecurityLog } from './audit/security-log';
import { KeyConfig } from './key.config';
import { OperatorAccountsRepository } from './db/operator-accounts.repository';
import { ApiKeysRepository } from './db/api-keys.repository';
import { CreditIntentsRepository } from './db/credit-intents.repository';
import { InvitationsRepository } from './db/invitations.repository';
import { KeyValuesRepository } from './db/key-values.repository';
import { MembersRepository } from './db/members.repository';
import { NatsAccountsRepository } from './db/nats-accounts.repository';
import { NatsRevisionRepository } from './db/nats-revision.repository';
import { OperatorKeysRepository } from './db/operator-keys.repository';
import { OperatorSpacesRepository } from './db/operator-spaces.repository';
import { PayersRepository } from './db/payers.repository';
import { PasswordResetsRepository } from './db/password-resets.repository';
import { SecretsRepository } from './db/secrets.repository';
import { SecurityEventsRepository } from './db/security-events.repository';
import { SignInsRepository } from './db/sign-ins.repository';
import { SigningKeysRepository } from './db/signing-keys.repository';
import { SpaceCreatorsRepository } from './db/space-creators.repository';
import { SpaceTotalsRepository } from './db/space-totals.repository';
import { SpacesRepository } from './db/spaces.repository';
import { tables } from './db/tables';
import { UsersRepository } from './db/users.repository';
import { ApiKeysController } from './keys/api-keys.controller';
import { ApiKeysService } from './keys/api-keys.service';
import { ActiveKeyLimit } from './keys/active-key-limit';
import { KeyIssuer } from './keys/create-and-rotate-keys';
import { LimitedAgents } from './keys/check-agent-limits';
import { KeysOfKeys } from './keys/keys-of-keys';
import { KeyVerifier } from './keys/key-verifier';
import { LastUsedTracker } from './keys/last-used-tracker';
import { SystemKeysController } from './keys/system-keys.controller';
import { SystemKeysService } from './keys/system-keys.service';
import { InvitationsController } from './members/invitations.controller';
import { MemberChanges } from './members/member-changes';
import { MembersController } from './members/members.controller';
import { InvitationsService } from './members/invitations.service';
import { MembersService } from './members/members.service';
import { NatsAccountVerifier } from './nats-accounts/nats-account-verifier';
import { NatsAccountsController } from './nats-accounts/nats-accounts.controller';
import { NatsAccountsService } from './nats-accounts/nats-accounts.service';
import { NatsOperatorKey } from './nats-accounts/nats-operator-key.service';
import { NatsRevisions } from './nats-accounts/nats-revisions.service';
import { LoadedUsers } from './nats-accounts/wait-until-loaded';
import { OperatorGrants } from './operators/grant-and-revoke-operators';
import { OperatorKeysService } from './operators/operator-keys.service';
import { OperatorsController } from './operators/operators.controller';
import { OperatorsService } from './operators/operators.service';
import { OperatorCredits } from './operators/operator-credits.service';
import { OperatorSpacesController } from './operators/operator-spaces.controller';
import { OperatorSpaces } from './operators/operator-spaces.service';
import { PasswordResets } from './operators/password-resets.service';
import { OperatorAccountsService } from './operators/accounts.service';
import { ResetTokenIssuer } from './operators/create-reset-token';
import { AuthCacheInvalidation } from './secrets/auth-cache-invalidation';
import { DataEncryption } from './secrets/data-encryption';
import { KeyHasher } from './secrets/key-hasher';
import { PasswordHashing } from './secrets/password-hashing';
import { SecretUsageReader } from './space-secrets/secret-usage-reader';
import { SpaceSecretsController } from './space-secrets/space-secrets.controller';
import { SpaceSecrets } from './space-secrets/space-secrets.service';
import { SpaceCreationRules } from './spaces/space-creation-rules';
import { SpaceUsageReader } from './spaces/space-usage-reader';
import { OperatorListMaintenance } from './spaces/operator-list-maintenance';
import { SpacesController } from './spaces/spaces.controller';
import { SpacesService } from './spaces/spaces.service';
import { WebhookSecrets } from './spaces/webhook-secrets';
import { FailedAttemptLimiter } from './throttle/failed-attempt-limiter';
import { AccessTokens } from './tokens/access-tokens.service';
import { IdentitiesController } from './tokens/identities.controller';
import { Identities } from './tokens/identities.service';
import { LoginAttempts } from './tokens/login-attempts';
import { LoginService } from './tokens/login.service';
import { MeService } from './tokens/me.service';
import { SignIns } from './tokens/sign-ins.service';
import { SigningKeys } from './tokens/signing-keys.service';
import { TokensController } from './tokens/tokens.controller';
import { Accounts } from './users/accounts.service';
import { FirstOwnerBootstrap } from './users/first-owner-bootstrap.service';
import { ExpiredRowCleanup } from './users/expired-row-cleanup';
import { EntityLimits } from './limits/entity-limits';

@Module({
  imports: [ServiceModule.forService({ name: 'key', config: KeyConfig, database: true, redis: true, tables })],
  controllers: [
    platformEventsController(KeyPlatformEvents),
    ApiKeysController,
    IdentitiesController,
    MembersController,
    InvitationsController,
    NatsAccountsController,
    OperatorsController,
    OperatorSpacesController,
    SecurityEventsController,
    SpacesController,
    SpaceSecretsController,
    SystemKeysController,
    TokensController,
  ],
  providers: [
    OperatorAccountsRepository,
    OperatorKeysRepository,
    OperatorKeysService,
    OperatorGrants,
    OperatorsService,
    ResetTokenIssuer,
    PayersRepository,
    PasswordResetsRepository,
    PasswordResets,
    OperatorAccountsService,
    ApiKeysRepository,
    CreditIntentsRepository,
    InvitationsRepository,
    KeyValuesRepository,
    MembersRepository,
    NatsAccountsRepository,
    NatsRevisionRepository,
    KeysOfKeys,
    NatsAccountVerifier,
    NatsAccountsService,
    NatsOperatorKey,
    NatsRevisions,
    LoadedUsers,
    OperatorSpacesRepository,
    SecretsRepository,
    SecurityEventsRepository,
    SignInsRepository,
    SigningKeysRepository,
    SpaceCreatorsRepository,
    SpaceTotalsRepository,
    SpacesRepository,
    UsersRepository,
    AccessTokens,
    Accounts,
    ApiKeysService,
    FailedAttemptLimiter,
    FirstOwnerBootstrap,
    AuthCacheInvalidation,
    DataEncryption,
    ExpiredRowCleanup,
    Identities,
    InvitationsService,
    KeyHasher,
    ActiveKeyLimit,
    KeyIssuer,
    LimitedAgents,
    KeyVerifier,
    LastUsedTracker,
    LoginAttempts,
    LoginService,
    MemberChanges,
    MembersService,
    MeService,
    OperatorCredits,
    OperatorSpaces,
    PasswordHashing,
    EntityLimits,
    SecretUsageReader,
    SecurityEventsService,
    SecurityLog,
    SignIns,
    SigningKeys,
    SpaceSecrets,
    SpaceCreationRules,
    OperatorListMaintenance,
    SpaceUsageReader,
    SpacesService,
    SystemKeysService,
    WebhookSecrets,
  ],
})
export class KeyModule {}
