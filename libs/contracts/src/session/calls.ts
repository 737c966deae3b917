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
import { CreateSession, ForkSession, ListSessions, SessionView, UpdateSession } from './session';
import { AwaitToolResult, RecordToolResult, ToolResult, ToolResultsOf } from './tool-result';
import { CancelledTurn, RequestCancel, GetTurn, TurnRecord } from './turn';

/** A compaction waits for a model. */
const COMPACTION_TIMEOUT_MS = 90_000;

export const SessionCalls = {
  create: defineCall({
    subject: 'session.create',
    request: CreateSession,
    reply: SessionView,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  list: defineCall({
    subject: 'session.list',
    request: ListSessions,
    reply: pageOf(SessionView),
    errors: ['FORBIDDEN'],
    callers: ['gateway'],
  }),
  get: defineCall({
    subject: 'session.get',
    request: ById,
    reply: SessionView,
    errors: ['NOT_FOUND'],
    callers: ['gateway', 'agent', 'job'],
  }),
  update: defineCall({
    subject: 'session.update',
    request: UpdateSession,
    reply: SessionView,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  remove: defineCall({
    subject: 'session.remove',
    request: ById,
    reply: Deleted,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  fork: defineCall({
    subject: 'session.fork',
    request: ForkSession,
    reply: SessionView,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  listMessages: defineCall({
    subject: 'session.list-messages',
    request: ListMessages,
    reply: pageOf(MessageView),
    errors: ['NOT_FOUND'],
    callers: ['gateway', 'agent'],
  }),

  contextStatus: defineCall({
    subject: 'session.context-status',
    request: ContextOf,
    reply: ContextStatus,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway', 'agent'],
  }),
  compact: defineCall({
    subject: 'session.compact',
    request: ContextOf,
    reply: CompactionResult,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'INTERACTION_PENDING', 'TURN_ALREADY_ACTIVE', 'COMPACTION_UNAVAILABLE'],
    callers: ['gateway'],
    timeoutMs: COMPACTION_TIMEOUT_MS,
  }),
  compactForTurn: defineCall({
    subject: 'session.compact-for-turn',
    request: CompactForTurn,
    reply: CompactedForTurn,
    errors: ['CONFLICT', 'COMPACTION_UNAVAILABLE'],
    callers: ['agent'],
    timeoutMs: COMPACTION_TIMEOUT_MS,
  }),

  openTurn: defineCall({
    subject: 'session.open-turn',
    request: OpenTurn,
    reply: OpenedTurn,
    errors: ['NOT_FOUND', 'TURN_ALREADY_ACTIVE', 'IDEMPOTENCY_CONFLICT', 'VALIDATION_ERROR'],
    callers: ['agent'],
  }),
  withdrawTurn: defineCall({
    subject: 'session.withdraw-turn',
    request: WithdrawTurn,
    reply: Nothing,
    errors: ['CONFLICT'],
    callers: ['agent'],
  }),
  saveCheckpoint: defineCall({
    subject: 'session.save-checkpoint',
    request: SaveCheckpoint,
    reply: CheckpointSaved,
    errors: ['CONFLICT'],
    callers: ['agent'],
  }),
  pauseTurn: defineCall({
    subject: 'session.pause-turn',
    request: PauseTurn,
    reply: InteractionView,
    errors: ['CONFLICT', 'VALIDATION_ERROR'],
    callers: ['agent'],
  }),
  closeTurn: defineCall({
    subject: 'session.close-turn',
    request: CloseTurn,
    reply: ClosedTurn,
    errors: ['CONFLICT'],
    callers: ['agent'],
  }),
  heartbeatTurns: defineCall({
    subject: 'session.heartbeat-turns',
    request: HeartbeatTurns,
    reply: HeartbeatResult,
    callers: ['agent'],
  }),
  claimTurns: defineCall({
    subject: 'session.claim-turns',
    request: ClaimTurns,
    reply: ClaimedTurns,
    callers: ['agent'],
  }),
  releaseTurns: defineCall({
    subject: 'session.release-turns',
    request: ReleaseTurns,
    reply: Nothing,
    callers: ['agent'],
  }),
  getTurn: defineCall({
    subject: 'session.get-turn',
    request: GetTurn,
    reply: TurnRecord,
    errors: ['NOT_FOUND'],
    callers: ['agent', 'gateway', 'job', 'task'],
  }),
  requestCancel: defineCall({
    subject: 'session.request-cancel',
    request: RequestCancel,
    reply: CancelledTurn,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['agent', 'job', 'task'],
  }),

  /** What `answerInteraction` would give, or refuse, now. Nothing is answered, and nobody holds the turn. */
  tryAnswer: defineCall({
    subject: 'session.try-answer',
    request: AnswerInteraction,
    reply: AnsweredInteraction,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR', 'INTERACTION_NOT_PENDING'],
    callers: ['agent'],
  }),
  answerInteraction: defineCall({
    subject: 'session.answer-interaction',
    request: AnswerInteraction,
    reply: AnsweredInteraction,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR', 'INTERACTION_NOT_PENDING'],
    callers: ['agent'],
  }),
  listInteractions: defineCall({
    subject: 'session.list-interactions',
    request: ListInteractions,
    reply: pageOf(InboxInteraction),
    callers: ['agent'],
  }),
  listPendingInteractions: defineCall({
    subject: 'session.list-pending-interactions',
    request: ListPendingInteractions,
    reply: pageOf(InteractionView),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway', 'agent'],
  }),

  awaitToolResult: defineCall({
    subject: 'session.await-tool-result',
    request: AwaitToolResult,
    reply: ToolResult,
    errors: ['CONFLICT'],
    callers: ['agent'],
  }),
  submitToolResult: defineCall({
    subject: 'session.submit-tool-result',
    request: RecordToolResult,
    reply: ToolResult,
    errors: ['NOT_FOUND', 'CONFLICT'],
    callers: ['agent', 'gateway'],
  }),
  toolResults: defineCall({
    subject: 'session.tool-results',
    request: ToolResultsOf,
    reply: listOf(ToolResult),
    errors: ['CONFLICT'],
    callers: ['agent'],
  }),
};
