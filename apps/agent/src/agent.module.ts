import { Module } from '@nestjs/common';
import { Bus, FrameLog, Peers } from '@switchyard/messaging';
import {
  Egress,
  Metrics,
  Payers,
  KeyLimitsCache,
  KeyLimitsController,
  ServiceModule,
  contentCapture,
  oversizedNotices,
} from '@switchyard/service';
import { AgentConfig } from './agent.config';
import { VersionRetention } from './retention/version-retention';
import { AccessAudit } from './agents/access-audit';
import { AgentsController } from './agents/agents.controller';
import { AgentsService } from './agents/agents.service';
import { AgentCache } from './agents/agent-cache';
import { HeaderVault } from './agents/header-vault';
import { SchemaCompiler } from './agents/schema-compiler';
import { SecretBox } from './agents/secret-box';
import { AgentsRepository } from './db/agents.repository';
import { StoredFramesRepository } from './db/stored-frames.repository';
import { McpApprovalsRepository } from './db/mcp-approvals.repository';
import { MemoriesRepository } from './db/memories.repository';
import { tables } from './db/tables';
import { McpApprovals } from './mcp/mcp-approvals';
import { McpToolLists } from './mcp/mcp-tool-lists';
import { McpConnections } from './mcp/mcp-connections';
import { McpEndpoints } from './mcp/mcp-endpoints';
import { McpToolsService } from './mcp/mcp-tools.service';
import { McpController } from './mcp/mcp.controller';
import { MemoriesController } from './memories/memories.controller';
import { MemoriesService } from './memories/memories.service';
import { Knowledge } from './tools/knowledge';
import { LocalCalls } from './tools/local-calls';
import { Memories } from './tools/memories';
import { Toolbox } from './tools/toolbox';
import { WebSearch } from './toolkit/web-search';
import { Allowances } from './turns/limits/allowances';
import { ApprovalChecks } from './turns/api/approval-checks';
import { ApprovalChecksController } from './turns/api/approval-checks.controller';
import { ApprovalRules } from './turns/run/approval-rules';
import { Compactor } from './turns/run/compactor';
import { CutCalls } from './turns/run/cut-calls';
import { FrameFlusher } from './turns/run/frame-flusher';
import { FrameBudget } from './turns/frames/frame-budget';
import { TurnLeases } from './turns/run/turn-leases';
import { ActiveTurns } from './turns/run/active-turns';
import { Inbox } from './turns/api/inbox';
import { ModelCaller } from './turns/run/model-caller';
import { ModelRequests } from './turns/run/model-requests';
import { Members } from './turns/run/members';
import { RequestFit } from './turns/run/request-fit';
import { ResumeCheck } from './turns/api/resume-check';
import { SessionPort } from './turns/run/session-port';
import { Takeover } from './turns/recovery/takeover';
import { TurnClaimer } from './turns/recovery/turn-claimer';
import { TurnMaker } from './turns/run/turn-maker';
import { TurnSlots } from './turns/limits/turn-slots';
import { TurnReader } from './turns/api/turn-reader';
import { Suspensions } from './turns/run/suspensions';
import { TurnServices } from './turns/run/turn-services';
import { TurnStarter } from './turns/api/turn-starter';
import { TurnsController } from './turns/api/turns.controller';
import { TurnsService } from './turns/api/turns.service';

@Module({
  imports: [ServiceModule.forService({ name: 'agent', config: AgentConfig, database: true, tables })],
  controllers: [
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
      useFactory: (config: AgentConfig, metrics: Metrics, payers: Payers) => Egress.configured(config, metrics, payers),
      inject: [AgentConfig, Metrics, Payers],
    },
    { provide: KeyLimitsCache, useFactory: (bus: Bus) => new KeyLimitsCache(bus), inject: [Bus] },
    contentCapture,
    FrameLog,
    Peers,
    AgentsRepository,
    VersionRetention,
    StoredFramesRepository,
    McpApprovalsRepository,
    MemoriesRepository,
    AccessAudit,
    AgentsService,
    AgentCache,
    SchemaCompiler,
    SecretBox,
    HeaderVault,
    McpApprovals,
    McpToolLists,
    McpConnections,
    McpEndpoints,
    McpToolsService,
    MemoriesService,
    Knowledge,
    LocalCalls,
    Memories,
    Toolbox,
    WebSearch,
    Allowances,
    ApprovalChecks,
    ApprovalRules,
    Compactor,
    CutCalls,
    FrameFlusher,
    FrameBudget,
    TurnLeases,
    ActiveTurns,
    Inbox,
    ModelCaller,
    ModelRequests,
    Members,
    RequestFit,
    ResumeCheck,
    SessionPort,
    Takeover,
    TurnClaimer,
    TurnMaker,
    TurnSlots,
    TurnReader,
    Suspensions,
    TurnServices,
    TurnStarter,
    TurnsService,
  ],
})
export class AgentModule {}
