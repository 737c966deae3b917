import { Module } from '@nestjs/common';
import { SessionCalls } from '@switchyard/contracts';
import { contractRoutes } from '../../routing/contract-routes';
import { SessionContextController } from './session-context.controller';

@Module({ controllers: [...contractRoutes(SessionCalls), SessionContextController] })
export class SessionsModule {}
