import { Module } from '@nestjs/common';
import { AssistantsController } from './assistants.controller';
import { ThreadChanges, ThreadSignalsController } from './thread-change-signals';
import { ThreadCommands } from './thread-commands';
import { ThreadStates } from './thread-states';
import { ThreadStreams } from './thread-streams';
import { ThreadsController } from './threads.controller';
import { ThreadMessages } from './thread-messages';

@Module({
  controllers: [AssistantsController, ThreadsController, ThreadSignalsController],
  providers: [ThreadChanges, ThreadCommands, ThreadStates, ThreadStreams, ThreadMessages],
})
export class LangGraphModule {}
