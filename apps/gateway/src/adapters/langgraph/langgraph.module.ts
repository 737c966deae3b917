import { Module } from '@nestjs/common';
import { AssistantsController } from './assistants.controller';
import { ThreadChanges, ThreadSignalsController } from './thread-changes';
import { ThreadCommands } from './thread-commands';
import { ThreadStates } from './thread-states';
import { ThreadStreams } from './thread-streams';
import { ThreadsController } from './threads.controller';
import { Transcripts } from './transcripts';

@Module({
  controllers: [AssistantsController, ThreadsController, ThreadSignalsController],
  providers: [ThreadChanges, ThreadCommands, ThreadStates, ThreadStreams, Transcripts],
})
export class LangGraphModule {}
