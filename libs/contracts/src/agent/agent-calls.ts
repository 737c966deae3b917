import { NOT_AFFORDED } from '../relay/not-afforded';
import { ANY_MEMBER } from '../define/access-rules';
import { defineCall } from '../define/contracts';
import { Deleted, pageOf, PageRequest } from '../define/shapes';
import { SecretName, SecretUsers } from '../key/secrets';
import {
  AgentById,
  ApproveMcpTools,
  CallableAgent,
  CheckApproval,
  CheckCallable,
  CreateAgent,
  ListAgents,
  ListAgentVersions,
  RestoreAgentVersion,
  UpdateAgent,
} from './agent-requests';
import { AgentVersionView, AgentView, ApprovalVerdict, McpToolsView } from './agent-view';
import { CorrectMemory, DeletedMemories, ListMemories, MemoryById, MemoryView } from './memories';
import { InboxInteraction, ListInteractions } from '../session/interaction';
import { CancelTurn, StartChat, StartExecute, SubmitToolResult, TurnById } from './turn-requests';
import { CancelOutcome, ToolResultOutcome, TurnResult } from './turn-result';

/** A turn may take ten minutes; a call that waits for one waits a little longer. */
export const TURN_WAIT_MS = 11 * 60_000;

export const AgentCalls = {
  /** The agents whose MCP servers get a secret of the Space. */
  secretUsers: defineCall({
    subject: 'agent.secret-users',
    request: SecretName,
    reply: SecretUsers,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['key'],
  }),
  create: defineCall({
    subject: 'agent.create',
    request: CreateAgent,
    reply: AgentView,
    errors: ['NOT_FOUND'],
    idempotent: true,
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'agent.get',
    request: AgentById,
    reply: AgentView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read', ownWork: ['gateway'] },
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'agent.list',
    request: ListAgents,
    reply: pageOf(AgentView),
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),
  listSystem: defineCall({
    subject: 'agent.list-system',
    request: PageRequest,
    reply: pageOf(AgentView),
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),
  update: defineCall({
    subject: 'agent.update',
    request: UpdateAgent,
    reply: AgentView,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'agent.remove',
    request: AgentById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  listVersions: defineCall({
    subject: 'agent.list-versions',
    request: ListAgentVersions,
    reply: pageOf(AgentVersionView),
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),
  restore: defineCall({
    subject: 'agent.restore',
    request: RestoreAgentVersion,
    reply: AgentView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  mcpTools: defineCall({
    subject: 'agent.mcp-tools',
    request: AgentById,
    reply: McpToolsView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  approveMcpTools: defineCall({
    subject: 'agent.approve-mcp-tools',
    request: ApproveMcpTools,
    reply: McpToolsView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  /** Judges a call by the rules of the agent and of its Space; nothing is run or kept. */
  checkApproval: defineCall({
    subject: 'agent.check-approval',
    request: CheckApproval,
    reply: ApprovalVerdict,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),

  /**
   * Refuses unless the caller may call the agent: NOT_FOUND for a foreign one, FORBIDDEN for a restricted one; where it
   * comes with inputs, VALIDATION_ERROR for what an execute with them would be refused for.
   */
  checkCallable: defineCall({
    subject: 'agent.check-callable',
    request: CheckCallable,
    reply: CallableAgent,
    errors: ['NOT_FOUND'],
    access: ANY_MEMBER,
    callers: ['gateway', 'session', 'job', 'task'],
  }),
  /** Runs to the end or to a question, and answers once. Callers that retry give a `turnId`. */
  chat: defineCall({
    subject: 'agent.chat-once',
    request: StartChat,
    reply: TurnResult,
    errors: ['NOT_FOUND', 'TURN_ALREADY_ACTIVE', 'IDEMPOTENCY_CONFLICT', 'RUNTIME_UNAVAILABLE', ...NOT_AFFORDED],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
    timeoutMs: TURN_WAIT_MS,
  }),
  execute: defineCall({
    subject: 'agent.execute',
    request: StartExecute,
    reply: TurnResult,
    errors: ['NOT_FOUND', 'TURN_ALREADY_ACTIVE', 'IDEMPOTENCY_CONFLICT', 'RUNTIME_UNAVAILABLE', ...NOT_AFFORDED],
    access: { scope: 'agents:call' },
    callers: ['gateway', 'job', 'task'],
    timeoutMs: TURN_WAIT_MS,
  }),
  /** How a turn stands: the result once it has ended or paused. */
  turnResult: defineCall({
    subject: 'agent.turn-result',
    request: TurnById,
    reply: TurnResult,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['gateway', 'job', 'task'],
  }),
  cancelTurn: defineCall({
    subject: 'agent.cancel-turn',
    request: CancelTurn,
    reply: CancelOutcome,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call', ownWork: ['job', 'task'] },
    callers: ['gateway', 'job', 'task'],
  }),
  /** The inbox: what waits for the caller, and what was answered, with the names of the agents. */
  listInteractions: defineCall({
    subject: 'agent.list-interactions',
    request: ListInteractions,
    reply: pageOf(InboxInteraction),
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  listMemories: defineCall({
    subject: 'agent.list-memories',
    request: ListMemories,
    reply: pageOf(MemoryView),
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:read' },
    callers: ['gateway'],
  }),
  correctMemory: defineCall({
    subject: 'agent.correct-memory',
    request: CorrectMemory,
    reply: MemoryView,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
  }),
  removeMemory: defineCall({
    subject: 'agent.remove-memory',
    request: MemoryById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
  }),
  /** All that the agent keeps about the caller. */
  removeMemories: defineCall({
    subject: 'agent.remove-memories',
    request: AgentById,
    reply: DeletedMemories,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
  }),
  submitToolResult: defineCall({
    subject: 'agent.submit-tool-result',
    request: SubmitToolResult,
    reply: ToolResultOutcome,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
};
