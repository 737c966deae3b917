import { Module } from '@nestjs/common';
import { KeyCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { AuthController } from './auth.controller';
import { JwksController } from './jwks.controller';
import { MembersController } from './members.controller';
import { OperatorEventsController } from './operator-events.controller';

@Module({
  controllers: [
    ...contractRoutes(KeyCalls),
    AuthController,
    JwksController,
    MembersController,
    OperatorEventsController,
  ],
})
export class IdentityModule {}
