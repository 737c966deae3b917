import { NOT_AFFORDED } from '../relay/not-afforded';
import { defineCall } from '../define/contracts';
import { ById, Deleted, listOf, Nothing, pageOf } from '../define/shapes';
import { CompactedForTurn, CompactForTurn, CompactionResult, ContextOf, ContextStatus } from './context';
import {
  AnswerInteraction,
  InboxInteraction,
  InteractionView,
  ListInteractions,
  ListPendingInteractions,
} from './interaction';
import { ListMessages, MessageView } from './message';
import { OpenedTurn, OpenTurn } from './open-turn';
import {
  AnsweredInteraction,
  CheckpointSaved,
  ClaimedTurns,
  ClaimTurns,
  ClosedTurn,
  CloseTurn,
  HeartbeatResult,
  HeartbeatTurns,
  PauseTurn,
  ReleaseTurns,
  SaveCheckpoint,
  WithdrawTurn,
} from './run-turn';
import { CreateSession, EnsureSession, ForkSession, ListSessions, SessionView, UpdateSession } from './session';
import { AwaitToolResult, RecordToolResult, ToolResult, ToolResultsOf } from './tool-result';
import { CancelledTurn, RequestCancel, GetTurn, TurnRecord } from './turn';

/** A compaction waits for a model. */
const COMPACTION_TIMEOUT_MS = 90_000;

export const SessionCalls = {
  create: defineCall({
    subject: 'session.create',
    request: CreateSession,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    idempotent: true,
    access: { scope: 'sessions:write' },
    callers: ['gateway'],
  }),
  ensure: defineCall({
    subject: 'session.ensure',
    request: EnsureSession,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'session.list',
    request: ListSessions,
    reply: pageOf(SessionView),
    access: { scope: 'sessions:read' },
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'session.get',
    request: ById,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:read' },
    callers: ['gateway', 'agent', 'job'],
  }),
  update: defineCall({
    subject: 'session.update',
    request: UpdateSession,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'session.remove',
    request: ById,
    reply: Deleted,
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  fork: defineCall({
    subject: 'session.fork',
    request: ForkSession,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    idempotent: true,
    access: { scope: 'sessions:write', role: 'MEMBER' },
    callers: ['gateway'],
  }),
  listMessages: defineCall({
    subject: 'session.list-messages',
    request: ListMessages,
    reply: pageOf(MessageView),
    errors: ['NOT_FOUND'],
    access: { scope: 'sessions:read' },
    callers: ['gateway', 'agent'],
  }),

  contextStatus: defineCall({
    subject: 'session.context-status',
    request: ContextOf,
    reply: ContextStatus,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['gateway', 'agent'],
  }),
  compact: defineCall({
    subject: 'session.compact',
    request: ContextOf,
    reply: CompactionResult,
    errors: ['NOT_FOUND', 'INTERACTION_PENDING', 'TURN_ALREADY_ACTIVE', 'COMPACTION_UNAVAILABLE', ...NOT_AFFORDED],
    access: { scope: 'agents:call' },
    callers: ['gateway'],
    timeoutMs: COMPACTION_TIMEOUT_MS,
  }),
  compactForTurn: defineCall({
    subject: 'session.compact-for-turn',
    request: CompactForTurn,
    reply: CompactedForTurn,
    errors: ['CONFLICT', 'COMPACTION_UNAVAILABLE', 'NOT_FOUND', ...NOT_AFFORDED],
    access: 'internal',
    callers: ['agent'],
    timeoutMs: COMPACTION_TIMEOUT_MS,
  }),

  openTurn: defineCall({
    subject: 'session.open-turn',
    request: OpenTurn,
    reply: OpenedTurn,
    errors: ['NOT_FOUND', 'TURN_ALREADY_ACTIVE', 'IDEMPOTENCY_CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  withdrawTurn: defineCall({
    subject: 'session.withdraw-turn',
    request: WithdrawTurn,
    reply: Nothing,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  saveCheckpoint: defineCall({
    subject: 'session.save-checkpoint',
    request: SaveCheckpoint,
    reply: CheckpointSaved,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  pauseTurn: defineCall({
    subject: 'session.pause-turn',
    request: PauseTurn,
    reply: InteractionView,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  closeTurn: defineCall({
    subject: 'session.close-turn',
    request: CloseTurn,
    reply: ClosedTurn,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  heartbeatTurns: defineCall({
    subject: 'session.heartbeat-turns',
    request: HeartbeatTurns,
    reply: HeartbeatResult,
    access: 'internal',
    callers: ['agent'],
  }),
  claimTurns: defineCall({
    subject: 'session.claim-turns',
    request: ClaimTurns,
    reply: ClaimedTurns,
    access: 'internal',
    callers: ['agent'],
  }),
  releaseTurns: defineCall({
    subject: 'session.release-turns',
    request: ReleaseTurns,
    reply: Nothing,
    access: 'internal',
    callers: ['agent'],
  }),
  getTurn: defineCall({
    subject: 'session.get-turn',
    request: GetTurn,
    reply: TurnRecord,
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['agent', 'gateway', 'job', 'task'],
  }),
  requestCancel: defineCall({
    subject: 'session.request-cancel',
    request: RequestCancel,
    reply: CancelledTurn,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['agent', 'job', 'task'],
  }),

  /** What `answerInteraction` would give, or refuse, now. Nothing is answered, and nobody holds the turn. */
  tryAnswer: defineCall({
    subject: 'session.try-answer',
    request: AnswerInteraction,
    reply: AnsweredInteraction,
    errors: ['NOT_FOUND', 'INTERACTION_NOT_PENDING'],
    access: { scope: 'agents:call' },
    callers: ['agent'],
  }),
  answerInteraction: defineCall({
    subject: 'session.answer-interaction',
    request: AnswerInteraction,
    reply: AnsweredInteraction,
    errors: ['NOT_FOUND', 'INTERACTION_NOT_PENDING'],
    access: { scope: 'agents:call' },
    callers: ['agent'],
  }),
  listInteractions: defineCall({
    subject: 'session.list-interactions',
    request: ListInteractions,
    reply: pageOf(InboxInteraction),
    access: { scope: 'agents:call' },
    callers: ['agent'],
  }),
  listPendingInteractions: defineCall({
    subject: 'session.list-pending-interactions',
    request: ListPendingInteractions,
    reply: pageOf(InteractionView),
    errors: ['NOT_FOUND'],
    access: { scope: 'agents:call' },
    callers: ['gateway', 'agent'],
  }),

  awaitToolResult: defineCall({
    subject: 'session.await-tool-result',
    request: AwaitToolResult,
    reply: ToolResult,
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
  submitToolResult: defineCall({
    subject: 'session.submit-tool-result',
    request: RecordToolResult,
    reply: ToolResult,
    errors: ['NOT_FOUND', 'CONFLICT'],
    access: { scope: 'agents:call' },
    callers: ['agent', 'gateway'],
  }),
  toolResults: defineCall({
    subject: 'session.tool-results',
    request: ToolResultsOf,
    reply: listOf(ToolResult),
    errors: ['CONFLICT'],
    access: 'internal',
    callers: ['agent'],
  }),
};
