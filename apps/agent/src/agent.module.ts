import { AgentPlatformEvents } from '@switchyard/contracts';
import { Module } from '@nestjs/common';
import { Bus, FrameLog, ReplicaLiveness } from '@switchyard/messaging';
import {
  Egress,
  Metrics,
  PayerCache,
  KeyLimitsCache,
  KeyLimitsController,
  ServiceModule,
  contentCapture,
  oversizedNotices,
  platformEventsController,
} from '@switchyard/service';
import { AgentConfig } from './agent.config';
import { VersionRetention } from './retention/version-retention';
import { AccessAudit } from './agents/access-audit';
import { AgentsController } from './agents/agents.controller';
import { AgentsService } from './agents/agents.service';
import { AgentCache } from './agents/agent-cache';
import { McpHeaderEncryption } from './agents/mcp-header-encryption';
import { SchemaCompiler } from './agents/schema-compiler';
import { TextEncryption } from './agents/text-encryption';
import { AgentsRepository } from './db/agents.repository';
import { StoredFramesRepository } from './db/stored-frames.repository';
import { McpToolApprovalsRepository } from './db/mcp-tool-approvals.repository';
import { MemoriesRepository } from './db/memories.repository';
import { tables } from './db/tables';
import { McpToolApprovals } from './mcp/mcp-tool-approvals';
import { McpToolLists } from './mcp/mcp-tool-lists';
import { McpConnections } from './mcp/mcp-connections';
import { McpEndpoints } from './mcp/mcp-endpoints';
import { McpToolsService } from './mcp/mcp-tools.service';
import { McpController } from './mcp/mcp.controller';
import { MemoriesController } from './memories/memories.controller';
import { MemoriesService } from './memories/memories.service';
import { KnowledgeRetrieval } from './tools/knowledge-retrieval';
import { LocalToolCalls } from './tools/local-tool-calls';
import { MemoryStore } from './tools/memory-store';
import { ToolsetBuilder } from './tools/toolset-builder';
import { WebSearch } from './toolkit/web-search';
import { PreflightCache } from './turns/limits/preflight-cache';
import { ApprovalChecks } from './turns/api/approval-checks';
import { ApprovalChecksController } from './turns/api/approval-checks.controller';
import { ApprovalRules } from './turns/run/approval-rules';
import { ContextCompactor } from './turns/run/context-compactor';
import { InterruptedCallUsage } from './turns/run/interrupted-call-usage';
import { FrameFlusher } from './turns/run/frame-flusher';
import { FrameRetention } from './turns/frames/frame-retention';
import { TurnLeases } from './turns/run/turn-leases';
import { ActiveTurns } from './turns/run/active-turns';
import { Inbox } from './turns/api/inbox';
import { ModelCaller } from './turns/run/model-caller';
import { ModelRequests } from './turns/run/model-requests';
import { MemberRoles } from './turns/run/member-roles';
import { ContextWindowCheck } from './turns/run/context-window-check';
import { ResumeCheck } from './turns/api/resume-check';
import { SessionPort } from './turns/run/session-port';
import { SuspectTurns } from './turns/recovery/suspect-turns';
import { Takeover } from './turns/recovery/takeover';
import { TurnClaimer } from './turns/recovery/turn-claimer';
import { TurnContextLoader } from './turns/run/turn-context-loader';
import { HeavySlots } from './turns/limits/heavy-slots';
import { TurnSlots } from './turns/limits/turn-slots';
import { TurnReader } from './turns/api/turn-reader';
import { SpaceSuspensions } from './turns/run/space-suspensions';
import { TurnDeps } from './turns/run/turn-deps';
import { TurnStarter } from './turns/api/turn-starter';
import { TurnsController } from './turns/api/turns.controller';
import { TurnsService } from './turns/api/turns.service';

@Module({
  imports: [ServiceModule.forService({ name: 'agent', config: AgentConfig, database: true, tables })],
  controllers: [
    platformEventsController(AgentPlatformEvents),
    AgentsController,
    McpController,
    MemoriesController,
    TurnsController,
    ApprovalChecksController,
    KeyLimitsController,
  ],
  providers: [
    oversizedNotices('agent', { table: 'agents', name: 'agent' }),
    {
      provide: Egress,
      useFactory: (config: AgentConfig, metrics: Metrics, payerCache: PayerCache) =>
        Egress.configured(config, metrics, payerCache),
      inject: [AgentConfig, Metrics, PayerCache],
    },
    { provide: KeyLimitsCache, useFactory: (bus: Bus) => new KeyLimitsCache(bus), inject: [Bus] },
    contentCapture,
    FrameLog,
    ReplicaLiveness,
    AgentsRepository,
    VersionRetention,
    StoredFramesRepository,
    McpToolApprovalsRepository,
    MemoriesRepository,
    AccessAudit,
    AgentsService,
    AgentCache,
    SchemaCompiler,
    TextEncryption,
    McpHeaderEncryption,
    McpToolApprovals,
    McpToolLists,
    McpConnections,
    McpEndpoints,
    McpToolsService,
    MemoriesService,
    KnowledgeRetrieval,
    LocalToolCalls,
    MemoryStore,
    ToolsetBuilder,
    WebSearch,
    PreflightCache,
    ApprovalChecks,
    ApprovalRules,
    ContextCompactor,
    InterruptedCallUsage,
    FrameFlusher,
    FrameRetention,
    TurnLeases,
    ActiveTurns,
    Inbox,
    ModelCaller,
    ModelRequests,
    MemberRoles,
    ContextWindowCheck,
    ResumeCheck,
    SessionPort,
    SuspectTurns,
    Takeover,
    TurnClaimer,
    TurnContextLoader,
    TurnSlots,
    HeavySlots,
    TurnReader,
    SpaceSuspensions,
    TurnDeps,
    TurnStarter,
    TurnsService,
  ],
})
export class AgentModule {}
