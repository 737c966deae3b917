import { Global, Module } from '@nestjs/common';
import { ErrorFilter } from './server/error.filter';
import { RouteTable } from './http/route-table';
import { Logger, SpacePoliciesController } from '@switchyard/service';
import { ConnectionLimits } from './limits/connection-limits';
import { ByteHolder } from './limits/byte-reservation';
import { RateLimiter } from './limits/rate-limiter';
import { UnreadAnswers } from './limits/unread-answers';
import { Denials } from './auth/denials';
import { EarlyRefusals } from './auth/early-refusals';
import { ExternalIssuer } from './auth/external-issuer';
import { ExternalKeys } from './auth/external-keys';
import { RequestAuthorizer } from './auth/request-authorizer';
import { AuthGuard } from './auth/auth.guard';
import { OpenStreams } from './auth/open-streams';
import { OwnKeySet } from './auth/own-keys';
import { Principals } from './auth/principals';
import { RevocationsController } from './auth/revocations.controller';
import { ApiKeyStrategy } from './auth/strategies/api-key.strategy';
import { ExternalTokenStrategy } from './auth/strategies/external-token.strategy';
import { TokenVerifier } from './auth/token-verifier';
import { UnknownCredentials } from './auth/unknown-credentials';

const provided = [
  Denials,
  EarlyRefusals,
  Principals,
  TokenVerifier,
  OwnKeySet,
  ExternalIssuer,
  ExternalKeys,
  ExternalTokenStrategy,
  ApiKeyStrategy,
  OpenStreams,
  UnknownCredentials,
  RateLimiter,
  ConnectionLimits,
  UnreadAnswers,
  ByteHolder,
  RequestAuthorizer,
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
      useFactory: (logger: Logger, routes: RouteTable, denials: Denials, early: EarlyRefusals) =>
        new ErrorFilter(logger, routes, denials, early),
      inject: [Logger, RouteTable, Denials, EarlyRefusals],
    },
  ],
  exports: [...provided, ErrorFilter],
})
export class AccessModule {}
