import { Global, Module } from '@nestjs/common';
import { ErrorFilter } from '../http/error.filter';
import { RouteTable } from '../http/route-table';
import { Logger } from '@switchyard/service';
import { ConnectionLimits } from '../limits/connection-limits';
import { ByteHolder } from '../limits/held-bytes';
import { RateLimiter } from '../limits/rate-limiter';
import { Denials } from './denials';
import { EarlyRefusals } from './early-refusals';
import { ExternalIssuer } from './external-issuer';
import { ExternalKeys } from './external-keys';
import { Gate } from './gate';
import { GateGuard } from './gate.guard';
import { OpenStreams } from './open-streams';
import { OwnKeySet } from './own-keys';
import { Principals } from './principals';
import { RevocationsController } from './revocations.controller';
import { ApiKeyStrategy } from './strategies/api-key.strategy';
import { ExternalTokenStrategy } from './strategies/external-token.strategy';
import { TokenVerifier } from './token-verifier';

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
  RateLimiter,
  ConnectionLimits,
  ByteHolder,
  Gate,
  GateGuard,
  RouteTable,
];

/** Who may come in, and what every area of the door shares of it. */
@Global()
@Module({
  controllers: [RevocationsController],
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
