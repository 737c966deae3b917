import { Module } from '@nestjs/common';
import { ActivityHub } from './activity-hub';
import { ActivityReader } from './activity-reader';
import { ActivityRows } from './activity-rows';
import { ActivitySignalsController } from './activity-signals.controller';
import { ActivityStreams } from './activity-streams';
import { ActivityController } from './activity.controller';
import { AgentNames } from './agent-names';
import { CausesReader } from './causes-reader';

@Module({
  controllers: [ActivityController, ActivitySignalsController],
  providers: [ActivityReader, ActivityRows, AgentNames, ActivityHub, ActivityStreams, CausesReader],
})
export class ActivityModule {}
