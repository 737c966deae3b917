import { NOT_AFFORDED } from '../relay/budget-errors';
import { ANY_MEMBER } from '../define/access-rules';
import { defineCall } from '../define/define-contracts';
import { Count, Deleted, pageOf, PageRequest } from '../define/common-shapes';
import { InSpace } from '../key/spaces';
import { SecretName, SecretUsers } from '../key/secrets';
import { AgentChanges, AgentSummary, AgentView, CreateAgent } from './agent-record';
import {
  AgentById,
  ApproveMcpTools,
  CallableAgent,
  CheckApproval,
  CheckApprovalBody,
  CheckCallable,
  AgentVersion,
  ListAgents,
  ListAgentVersions,
  RestoreAgentVersion,
  UpdateAgent,
} from './agent-requests';
import { AgentVersionSummary, AgentVersionView } from './agent-versions';
import { ApprovalVerdict } from './approval-verdict';
import { McpToolsView } from './mcp-tools-view';
import {
  CorrectMemory,
  DeletedMemories,
  ListMemories,
  MemoryById,
  MemoryCorrection,
  MemoryPageRequest,
  MemoryView,
} from './memories';
import { InboxInteraction, ListInteractions } from '../session/interaction';
import { CancelTurn, StartChat, StartExecute, SubmitToolResult, TurnById } from './turn-requests';
import { CancelOutcome, ToolResultOutcome, TurnResult } from './turn-result';

/** Longer than the longest turn (ten minutes). */
export const TURN_WAIT_MS = 11 * 60_000;

export const AgentCalls = {
  /** Agents whose MCP servers use a secret of the Space. */
  secretUsers: defineCall({
    subject: 'agent.secret-users',
    request: SecretName,
    reply: SecretUsers,
    access: { scope: 'secrets:read', role: 'MEMBER' },
    callers: ['key'],
  }),
  countAgents: defineCall({
    subject: 'agent.count-agents',
    request: InSpace,
    reply: Count,
    access: 'internal',
    callers: ['key'],
  }),
  create: defineCall({
    subject: 'agent.create',
    request: CreateAgent,
    reply: AgentView,
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'createAgent',
      method: 'POST',
      path: '/agents',
      status: 201,
      summary: 'Create an agent',
      message: 'Agent created.',
    },
  }),
  list: defineCall({
    subject: 'agent.list',
    request: ListAgents,
    reply: pageOf(AgentSummary),
    access: { scope: 'agents:read' },
    callers: ['gateway'],
    http: {
      name: 'listAgents',
      method: 'GET',
      path: '/agents',
      summary: 'List agents',
      description:
        'Newest first. The prompt, tools, servers, schemas, approvals and metadata of an agent are in its single record.',
      message: 'Agents.',
    },
    tool: {
      name: 'list_agents',
      title: 'List agents',
      description: 'The agents of the Space, newest first. accessibleOnly leaves out those that you may not call.',
      readOnly: true,
    },
  }),
  get: defineCall({
    subject: 'agent.get',
    request: AgentById,
    reply: AgentView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read', ownWork: ['gateway'] },
    callers: ['gateway', 'session', 'key'],
    http: { name: 'getAgent', method: 'GET', path: '/agents/:agentId', summary: 'Read an agent', message: 'Agent.' },
    tool: {
      name: 'get_agent',
      title: 'Read an agent',
      description: 'One agent with its prompt, tools and settings.',
      readOnly: true,
    },
  }),
  listSystem: defineCall({
    subject: 'agent.list-system',
    request: PageRequest,
    reply: pageOf(AgentSummary),
    access: { scope: 'agents:read' },
    callers: ['gateway'],
    http: {
      name: 'listSystemAgents',
      method: 'GET',
      path: '/agents/system-agents',
      summary: 'List the built-in agents',
      message: 'System agents.',
    },
  }),
  update: defineCall({
    subject: 'agent.update',
    request: UpdateAgent,
    reply: AgentView,
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'updateAgent',
      method: 'PUT',
      path: '/agents/:agentId',
      summary: 'Change an agent: the given fields are replaced, the others stay',
      message: 'Agent updated.',
      body: AgentChanges,
      bodyField: 'changes',
    },
  }),
  remove: defineCall({
    subject: 'agent.remove',
    request: AgentById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:write', role: 'MEMBER' },
    callers: ['gateway'],
    http: {
      name: 'deleteAgent',
      method: 'DELETE',
      path: '/agents/:agentId',
      summary: 'Delete an agent',
      message: 'Agent deleted.',
    },
  }),
  /** Agents with prompt variables, of those that the caller may call. */
  listPrompts: defineCall({
    subject: 'agent.list-prompts',
    request: PageRequest,
    reply: pageOf(AgentSummary),
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),
  listVersions: defineCall({
    subject: 'agent.list-versions',
    request: ListAgentVersions,
    reply: pageOf(AgentVersionSummary),
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read' },
    callers: ['gateway'],
    http: {
      name: 'listAgentVersions',
      method: 'GET',
      path: '/agents/:agentId/versions',
      summary: 'List the versions of an agent, newest first',
      message: 'Versions.',
      query: PageRequest,
    },
  }),
  getVersion: defineCall({
    subject: 'agent.get-version',
    request: AgentVersion,
    reply: AgentVersionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read' },
    callers: ['gateway'],
  }),
  restore: defineCall({
    subject: 'agent.restore',
    request: RestoreAgentVersion,
    reply: AgentView,
    errors: ['NOT_FOUND', 'SECRET_UNREADABLE'],
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
  /** Evaluates the approval rules of the agent and the Space for a call; runs and stores nothing. */
  checkApproval: defineCall({
    subject: 'agent.check-approval',
    request: CheckApproval,
    reply: ApprovalVerdict,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:read' },
    callers: ['gateway'],
    http: {
      name: 'checkApproval',
      method: 'POST',
      path: '/agents/:agentId/approvals/check',
      summary: 'Check which approval a tool call needs',
      description:
        'By the rules of the agent, or those that are given in their place, and by those of the Space. Nothing is run.',
      message: 'Checked.',
      body: CheckApprovalBody,
    },
  }),

  /**
   * NOT_FOUND for another Space's agent, FORBIDDEN for a restricted one. With inputs, VALIDATION_ERROR if an execute
   * would reject them.
   */
  checkCallable: defineCall({
    subject: 'agent.check-callable',
    request: CheckCallable,
    reply: CallableAgent,
    errors: ['NOT_FOUND'],
    access: ANY_MEMBER,
    callers: ['gateway', 'session', 'job', 'task'],
  }),
  /** Runs to the end or to a question, and replies once. Retries send the same `turnId`. */
  chat: defineCall({
    subject: 'agent.chat-once',
    request: StartChat,
    reply: TurnResult,
    errors: [
      'NOT_FOUND',
      'TURN_ALREADY_ACTIVE',
      'IDEMPOTENCY_CONFLICT',
      'UNSUPPORTED_MEDIA_TYPE',
      'RUNTIME_UNAVAILABLE',
      ...NOT_AFFORDED,
    ],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
    timeoutMs: TURN_WAIT_MS,
  }),
  execute: defineCall({
    subject: 'agent.execute',
    request: StartExecute,
    reply: TurnResult,
    errors: [
      'NOT_FOUND',
      'TURN_ALREADY_ACTIVE',
      'IDEMPOTENCY_CONFLICT',
      'UNSUPPORTED_MEDIA_TYPE',
      'RUNTIME_UNAVAILABLE',
      ...NOT_AFFORDED,
    ],
    access: { scope: 'agents:call' },
    callers: ['gateway', 'job', 'task'],
    timeoutMs: TURN_WAIT_MS,
  }),
  /** State of a turn: the result once it has ended or paused. */
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
  /** The inbox: pending and answered interactions of the caller, with the names of the agents. */
  listInteractions: defineCall({
    subject: 'agent.list-interactions',
    request: ListInteractions,
    reply: pageOf(InboxInteraction),
    access: { scope: 'agents:call' },
    callers: ['gateway'],
    http: {
      name: 'listInteractions',
      method: 'GET',
      path: '/interactions',
      summary: 'List the questions and approvals of the Space that the caller may answer',
      message: 'Interactions.',
    },
  }),
  listMemories: defineCall({
    subject: 'agent.list-memories',
    request: ListMemories,
    reply: pageOf(MemoryView),
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:read' },
    callers: ['gateway'],
    http: {
      name: 'listAgentMemories',
      method: 'GET',
      path: '/agents/:agentId/memories',
      summary: 'List what an agent remembers about the caller, newest first',
      description:
        'An agent saves memories with the tool `save_memory` and uses the newest 30 in turns with `memory: true`. It keeps 200 about each user; the oldest give way. ADMIN and up read those about every user with `allUsers=true`.',
      message: 'Memories.',
      query: MemoryPageRequest,
    },
  }),
  correctMemory: defineCall({
    subject: 'agent.correct-memory',
    request: CorrectMemory,
    reply: MemoryView,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
    http: {
      name: 'updateAgentMemory',
      method: 'PATCH',
      path: '/agents/:agentId/memories/:memoryId',
      summary: 'Correct a memory about the caller',
      description:
        'The next turn uses the new text. Every role may correct and delete what is about itself, VIEWER too; for everybody else, ADMIN and OWNER included, the memory is not found.',
      message: 'Memory corrected.',
      body: MemoryCorrection,
    },
  }),
  removeMemory: defineCall({
    subject: 'agent.remove-memory',
    request: MemoryById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
    http: {
      name: 'deleteAgentMemory',
      method: 'DELETE',
      path: '/agents/:agentId/memories/:memoryId',
      summary: 'Delete a memory about the caller',
      description:
        'The next turn does not use it. Every role may do this; the memories of others are not found, by ADMIN and OWNER neither.',
      message: 'Memory deleted.',
    },
  }),
  /** All memories of the agent about the caller. */
  removeMemories: defineCall({
    subject: 'agent.remove-memories',
    request: AgentById,
    reply: DeletedMemories,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
    http: {
      name: 'deleteAgentMemories',
      method: 'DELETE',
      path: '/agents/:agentId/memories',
      summary: 'Delete all that an agent remembers about the caller',
      description: 'The memories about other users stay. Every role may do this.',
      message: 'Memories deleted.',
    },
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
