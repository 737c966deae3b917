import { Module } from '@nestjs/common';
import { FrameFollower } from '../../turn-events/frame-follower';
import { FrameSender } from '../../turn-events/frame-sender';
import { AgentCallsController } from './agent-calls.controller';
import { TurnResults } from './turn-results';
import { TurnsController } from './turns.controller';

@Module({
  controllers: [AgentCallsController, TurnsController],
  providers: [FrameFollower, FrameSender, TurnResults],
  exports: [FrameFollower, FrameSender],
})
export class TurnsModule {}
