import { Module } from '@nestjs/common';
import { SessionContextController } from './session-context.controller';
import { SessionsController } from './sessions.controller';

@Module({ controllers: [SessionsController, SessionContextController] })
export class SessionsModule {}
