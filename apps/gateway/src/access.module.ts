import { Global, Module } from '@nestjs/common';
import { ErrorFilter } from './server/error.filter';
import { RouteTable } from './http/route-table';
import { Logger, SpacePoliciesController } from '@switchyard/service';
import { ConnectionLimits } from './limits/connection-limits';
import { ByteHolder } from './limits/byte-reservation';
import { RateLimiter } from './limits/rate-limiter';
import { UnreadResponses } from './limits/unread-responses';
import { AccessDenialAudit } from './auth/access-denial-audit';
import { PreAuthRateLimit } from './auth/pre-auth-rate-limit';
import { ExternalIssuer } from './auth/external-issuer';
import { ExternalIssuerKeys } from './auth/external-issuer-keys';
import { RequestAuthorizer } from './auth/request-authorizer';
import { RequestCause } from './auth/request-cause';
import { AuthGuard } from './auth/auth.guard';
import { ActiveResponses } from './auth/active-responses';
import { LoadableNatsAccounts } from './auth/loadable-nats-accounts';
import { TokenVerificationKeys } from './auth/token-verification-keys';
import { Principals } from './auth/principals';
import { RevocationsController } from './auth/revocations.controller';
import { ApiKeyStrategy } from './auth/strategies/api-key.strategy';
import { ExternalTokenStrategy } from './auth/strategies/external-token.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { UnverifiedCredentialLookups } from './auth/unverified-credential-lookups';

const provided = [
  AccessDenialAudit,
  PreAuthRateLimit,
  Principals,
  LoadableNatsAccounts,
  TokenVerifier,
  TokenVerificationKeys,
  ExternalIssuer,
  ExternalIssuerKeys,
  ExternalTokenStrategy,
  ApiKeyStrategy,
  ActiveResponses,
  UnverifiedCredentialLookups,
  RateLimiter,
  ConnectionLimits,
  UnreadResponses,
  ByteHolder,
  RequestAuthorizer,
  RequestCause,
  AuthGuard,
  RouteTable,
];

/** Authentication, and what all gateway areas share of it. */
@Global()
@Module({
  controllers: [RevocationsController, SpacePoliciesController],
  providers: [
    ...provided,
    {
      provide: ErrorFilter,
      useFactory: (logger: Logger, routes: RouteTable, accessDenialAudit: AccessDenialAudit, early: PreAuthRateLimit) =>
        new ErrorFilter(logger, routes, accessDenialAudit, early),
      inject: [Logger, RouteTable, AccessDenialAudit, PreAuthRateLimit],
    },
  ],
  exports: [...provided, ErrorFilter],
})
export class AccessModule {}
