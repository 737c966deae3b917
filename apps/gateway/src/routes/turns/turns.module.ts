import { Module } from '@nestjs/common';
import { FrameFollower } from '../../turn-events/frame-follower';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { AgentCallsController } from './agent-calls.controller';
import { TurnResults } from './turn-results';
import { TurnsController } from './turns.controller';

@Module({
  controllers: [AgentCallsController, TurnsController],
  providers: [FrameFollower, TurnStreamer, TurnResults],
  exports: [FrameFollower, TurnStreamer],
})
export class TurnsModule {}
