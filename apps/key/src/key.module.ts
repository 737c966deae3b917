import { Module } from '@nestjs/common';
import { ServiceModule } from '@switchyard/service';
import { SecurityEventsController } from './audit/security-events.controller';
import { SecurityEventsService } from './audit/security-events.service';
import { SecurityLog } from './audit/security-log';
import { KeyConfig } from './key.config';
import { AccountsRepository } from './db/accounts.repository';
import { ApiKeysRepository } from './db/api-keys.repository';
import { CreditIntentsRepository } from './db/credit-intents.repository';
import { InvitationsRepository } from './db/invitations.repository';
import { KeyValuesRepository } from './db/key-values.repository';
import { MembersRepository } from './db/members.repository';
import { OperatorKeysRepository } from './db/operator-keys.repository';
import { OperatorSpacesRepository } from './db/operator-spaces.repository';
import { PayersRepository } from './db/payers.repository';
import { PasswordResetsRepository } from './db/password-resets.repository';
import { SecretsRepository } from './db/secrets.repository';
import { SecurityEventsRepository } from './db/security-events.repository';
import { SignInsRepository } from './db/sign-ins.repository';
import { SigningKeysRepository } from './db/signing-keys.repository';
import { SpaceMakersRepository } from './db/space-makers.repository';
import { SpaceTotalsRepository } from './db/space-totals.repository';
import { SpacesRepository } from './db/spaces.repository';
import { tables } from './db/tables';
import { UsersRepository } from './db/users.repository';
import { ApiKeysController } from './keys/api-keys.controller';
import { ApiKeysService } from './keys/api-keys.service';
import { KeyCeiling } from './keys/key-ceiling';
import { KeyStore } from './keys/key-store';
import { LimitedAgents } from './keys/limited-agents';
import { KeyVerifier } from './keys/key-verifier';
import { LastUses } from './keys/last-uses';
import { SystemKeysController } from './keys/system-keys.controller';
import { SystemKeysService } from './keys/system-keys.service';
import { InvitationsController } from './members/invitations.controller';
import { MemberDecisions } from './members/member-decisions';
import { MembersController } from './members/members.controller';
import { InvitationsService } from './members/invitations.service';
import { MembersService } from './members/members.service';
import { OperatorChanges } from './operators/operator-changes';
import { OperatorKeysService } from './operators/operator-keys.service';
import { OperatorsController } from './operators/operators.controller';
import { OperatorsService } from './operators/operators.service';
import { OperatorCredits } from './operators/operator-credits.service';
import { OperatorSpacesController } from './operators/operator-spaces.controller';
import { OperatorSpaces } from './operators/operator-spaces.service';
import { PasswordResets } from './operators/password-resets.service';
import { PeopleService } from './operators/people.service';
import { ResetTokens } from './operators/reset-tokens';
import { AuthCacheInvalidation } from './secrets/auth-cache-invalidation';
import { DataSeal } from './secrets/data-seal';
import { KeyHasher } from './secrets/key-hasher';
import { Passwords } from './secrets/passwords';
import { SecretUsersReader } from './space-secrets/secret-users';
import { SpaceSecretsController } from './space-secrets/space-secrets.controller';
import { SpaceSecrets } from './space-secrets/space-secrets.service';
import { SpaceCreationRules } from './spaces/space-creation-rules';
import { SpaceUseReader } from './spaces/space-use-reader';
import { SpaceMakers } from './spaces/space-makers';
import { SpacesController } from './spaces/spaces.controller';
import { SpacesService } from './spaces/spaces.service';
import { WebhookSecrets } from './spaces/webhook-secrets';
import { AttemptWindow } from './throttle/attempt-window';
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
import { Bootstrap } from './users/bootstrap.service';
import { Housekeeping } from './users/housekeeping.service';
import { Places } from './limits/places';

@Module({
  imports: [ServiceModule.forService({ name: 'key', config: KeyConfig, database: true, redis: true, tables })],
  controllers: [
    ApiKeysController,
    IdentitiesController,
    MembersController,
    InvitationsController,
    OperatorsController,
    OperatorSpacesController,
    SecurityEventsController,
    SpacesController,
    SpaceSecretsController,
    SystemKeysController,
    TokensController,
  ],
  providers: [
    AccountsRepository,
    OperatorKeysRepository,
    OperatorKeysService,
    OperatorChanges,
    OperatorsService,
    ResetTokens,
    PayersRepository,
    PasswordResetsRepository,
    PasswordResets,
    PeopleService,
    ApiKeysRepository,
    CreditIntentsRepository,
    InvitationsRepository,
    KeyValuesRepository,
    MembersRepository,
    OperatorSpacesRepository,
    SecretsRepository,
    SecurityEventsRepository,
    SignInsRepository,
    SigningKeysRepository,
    SpaceMakersRepository,
    SpaceTotalsRepository,
    SpacesRepository,
    UsersRepository,
    AccessTokens,
    Accounts,
    ApiKeysService,
    AttemptWindow,
    Bootstrap,
    AuthCacheInvalidation,
    DataSeal,
    Housekeeping,
    Identities,
    InvitationsService,
    KeyHasher,
    KeyCeiling,
    KeyStore,
    LimitedAgents,
    KeyVerifier,
    LastUses,
    LoginAttempts,
    LoginService,
    MemberDecisions,
    MembersService,
    MeService,
    OperatorCredits,
    OperatorSpaces,
    Passwords,
    Places,
    SecretUsersReader,
    SecurityEventsService,
    SecurityLog,
    SignIns,
    SigningKeys,
    SpaceSecrets,
    SpaceCreationRules,
    SpaceMakers,
    SpaceUseReader,
    SpacesService,
    SystemKeysService,
    WebhookSecrets,
  ],
})
export class KeyModule {}
