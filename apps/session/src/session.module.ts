import { Module } from '@nestjs/common';
import { SessionActivityCalls, SessionCauseCalls, SessionPlatformEvents } from '@switchyard/contracts';
import {
  activityController,
  causesController,
  platformEventsController,
  ServiceModule,
  Retention,
  SpaceClocks,
  SpacePolicyCache,
  SpacePoliciesController,
  Workers,
  oversizedNotices,
} from '@switchyard/service';
import { Database } from '@switchyard/database';
import { ApprovalsRepository } from './db/approval-metrics-and-audit.repository';
import { InteractionsRepository } from './db/interactions.repository';
import { LatencyRepository } from './db/latency.repository';
import { MessagesRepository } from './db/messages.repository';
import { SessionsRepository } from './db/sessions.repository';
import { tables } from './db/tables';
import { ToolResultsRepository } from './db/tool-results.repository';
import { TurnLeasesRepository } from './db/turn-leases.repository';
import { TurnFastPathRepository } from './db/turn-fast-path.repository';
import { TurnsRepository } from './db/turns.repository';
import { AccessibleSessions } from './access/accessible-sessions';
import { TurnActivity } from './activity/turn-activity.service';
import { CompactionService } from './context/compaction.service';
import { ContextController } from './context/context.controller';
import { ContextService } from './context/context.service';
import { turnCauses } from './db/turn-causes';
import { ModelContextLoader } from './context/load-model-context';
import { ConversationSummariser } from './context/conversation-summariser';
import { TokenCounter } from './context/token-counter';
import { ApprovalMetrics } from './turns/approval-metrics';
import { ApprovalDecisionAudit } from './interactions/approval-decision-audit';
import { InteractionsController } from './interactions/interactions.controller';
import { InteractionsService } from './interactions/interactions.service';
import { LatencyController } from './latency/latency.controller';
import { LatencyService } from './latency/latency.service';
import { SessionConfig } from './session.config';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsService } from './sessions/sessions.service';
import { TranscriptsService } from './sessions/transcripts.service';
import { ExpiredInteractionSweeper } from './sweeping/expired-interaction-sweeper';
import { ToolResultsController } from './tool-results/tool-results.controller';
import { ToolResultsService } from './tool-results/tool-results.service';
import { TurnLeasesService } from './turns/turn-leases.service';
import { CrashedTurns } from './turns/crashed-turn-handling';
import { TurnSignals } from './turns/turn-signals';
import { TurnOpeningService } from './turns/turn-opening.service';
import { TurnReadingService } from './turns/turn-reading.service';
import { TurnCheckpointsService } from './turns/turn-checkpoints.service';
import { TurnCancellation } from './turns/turn-cancellation';
import { TurnsController } from './turns/turns.controller';

@Module({
  imports: [ServiceModule.forService({ name: 'session', config: SessionConfig, database: true, tables })],
  controllers: [
    SpacePoliciesController,
    causesController(SessionCauseCalls, turnCauses),
    activityController(SessionActivityCalls, TurnActivity),
    platformEventsController(SessionPlatformEvents),
    SessionsController,
    TurnsController,
    InteractionsController,
    ContextController,
    ToolResultsController,
    LatencyController,
  ],
  providers: [
    oversizedNotices('session', { table: 'sessions', name: 'session' }),
    {
      provide: SpaceClocks,
      useFactory: (
        database: Database,
        policies: SpacePolicyCache,
        workers: Workers,
        retention: Retention,
        interactions: InteractionsRepository,
      ) => new SpaceClocks({ database, policies, workers, retention }, interactions),
      inject: [Database, SpacePolicyCache, Workers, Retention, InteractionsRepository],
    },
    ApprovalsRepository,
    InteractionsRepository,
    LatencyRepository,
    MessagesRepository,
    SessionsRepository,
    ToolResultsRepository,
    TurnLeasesRepository,
    TurnFastPathRepository,
    TurnsRepository,
    AccessibleSessions,
    TurnActivity,
    SessionsService,
    TranscriptsService,
    TurnOpeningService,
    TurnCheckpointsService,
    TurnLeasesService,
    TurnReadingService,
    TurnCancellation,
    TurnSignals,
    CrashedTurns,
    InteractionsService,
    ApprovalMetrics,
    ApprovalDecisionAudit,
    ToolResultsService,
    ContextService,
    CompactionService,
    ModelContextLoader,
    ConversationSummariser,
    TokenCounter,
    LatencyService,
    ExpiredInteractionSweeper,
  ],
})
export class SessionModule {}
