import { Module } from '@nestjs/common';
import { SessionCalls } from '@switchyard/contracts';
import { plainRoutes } from '../../routing/plain-routes';
import { SessionContextController } from './session-context.controller';

@Module({ controllers: [...plainRoutes(SessionCalls), SessionContextController] })
export class SessionsModule {}
