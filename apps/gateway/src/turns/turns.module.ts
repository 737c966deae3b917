import { Module } from '@nestjs/common';
import { FrameSender } from '../streams/frame-sender';
import { AgentCallsController } from './agent-calls.controller';
import { TurnResults } from './turn-results';
import { TurnsController } from './turns.controller';

@Module({ controllers: [AgentCallsController, TurnsController], providers: [FrameSender, TurnResults] })
export class TurnsModule {}
