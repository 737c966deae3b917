import { Module } from '@nestjs/common';
import { InteractionsController } from './interactions.controller';
import { SessionContextController } from './session-context.controller';
import { SessionsController } from './sessions.controller';

@Module({ controllers: [SessionsController, SessionContextController, InteractionsController] })
export class SessionsModule {}
