import { type MessageView, type SessionSummary, type SessionView, shownOversized } from '@switchyard/contracts';
import type { MessageRow } from '../db/messages.repository';
import type { SessionRow } from '../db/sessions.repository';

export const summaryOfSession = (row: Omit<SessionRow, 'metadata'>): SessionSummary => ({
  id: row.id,
  title: row.title,
  agentId: row.agentId,
  userId: row.userId,
  status: row.status,
  activeTurnId: row.activeTurnId,
  messageCount: row.messageCount,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  lastMessageAt: row.lastMessageAt,
});

export const viewOfSession = (row: SessionRow): SessionView => ({
  ...summaryOfSession(row),
  metadata: row.metadata,
  ...shownOversized(row.oversized),
});

export const viewOfMessage = (row: MessageRow): MessageView => ({
  id: row.id,
  sessionId: row.sessionId,
  turnId: row.turnId,
  seq: row.seq,
  role: row.role,
  content: row.content,
  ...(row.reasoning === null ? {} : { reasoning: row.reasoning }),
  ...(row.toolCalls === null ? {} : { toolCalls: row.toolCalls }),
  ...(row.toolCallId === null ? {} : { toolCallId: row.toolCallId }),
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.event === null ? {} : { event: row.event }),
  ...(row.usage === null ? {} : { tokenUsage: row.usage }),
  ...(row.model === null ? {} : { model: row.model }),
  ...(row.finishReason === null ? {} : { finishReason: row.finishReason }),
  createdAt: row.createdAt,
});
