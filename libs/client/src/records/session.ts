import type { ContentItem } from './turn';

export interface Session {
  id: string;
  title: string | null;
  agentId: string | null;
  userId: string;
  status: 'ACTIVE' | 'DELETED';
  activeTurnId: string | null;
  messageCount: number;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
  lastMessageAt: string | null;
}

export interface Message {
  id: string;
  sessionId: string;
  turnId: string | null;
  /** Contiguous within the session, from 1. */
  seq: number;
  role: 'user' | 'assistant' | 'tool' | 'event';
  content: ContentItem[];
  toolCalls?: { id: string; name: string; arguments: unknown }[];
  toolCallId?: string;
  name?: string;
  event?: Record<string, unknown>;
  tokenUsage?: { promptTokens: number; completionTokens: number; totalTokens: number; cost?: number };
  model?: string;
  finishReason?: string;
  createdAt: string;
}

export interface ContextStatus {
  session_id: string;
  model: string;
  used_tokens: number;
  remaining_tokens: number;
  max_tokens: number;
  estimated: boolean;
  compaction_count: number;
  summary_state: 'NONE' | 'CURRENT' | 'STALE';
  message_count: number;
}

export interface Compaction extends ContextStatus {
  compacted: boolean;
  tokens_before: number;
  tokens_after: number;
}
