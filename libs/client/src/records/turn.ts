export type TurnStatus = 'RUNNING' | 'WAITING_INPUT' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

export interface Turn {
  id: string;
  agentId: string;
  sessionId: string | null;
  status: TurnStatus;
  startedAt: string;
  finishedAt: string | null;
  error: { code: string; message: string } | null;
}

export interface TextContent {
  type: 'text';
  text: string;
}

export interface ImageContent {
  type: 'image_url';
  /** HTTP(S) or a base64 `data:` URI. */
  image_url: { url: string; detail?: string };
}

export interface AudioContent {
  type: 'audio';
  audio_url: { url: string };
}

export interface FileContent {
  type: 'file';
  file_info: Record<string, unknown>;
}

export type ContentItem = TextContent | ImageContent | AudioContent | FileContent;

export interface ChatSettings {
  temperature?: number;
  max_tokens?: number;
  top_p?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
  /** `ask`: action tools are not executed. */
  chat_mode?: 'ask' | 'agent';
  disable_web_search?: boolean;
}

export interface ChatRequest {
  contents: ContentItem[];
  session_id?: string;
  /** One stable UUID per user turn; the client makes one where none is given, so that a repeat never runs twice. */
  turnId?: string;
  settings?: ChatSettings;
}

export interface TokenUsageBody {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number;
}

export interface InteractionOption {
  id: string;
  label: string;
  description?: string;
}

export interface Interaction {
  id: string;
  turnId: string;
  sessionId: string;
  kind: 'single_choice' | 'multiple_choice';
  prompt: string;
  options: InteractionOption[];
  allowOther: boolean;
  minSelections?: number;
  maxSelections?: number;
  status: 'PENDING' | 'ANSWERED' | 'CANCELLED' | 'EXPIRED';
  selectedOptionIds?: string[];
  otherText?: string | null;
  createdAt: string;
  answeredAt: string | null;
  expiresAt: string;
}

export interface ChatResult {
  session_id: string | null;
  turn_id: string;
  message_id: string | null;
  status: TurnStatus;
  answer: string;
  content: ContentItem[];
  tool_executions: Record<string, unknown>[];
  evidence: Record<string, unknown>[];
  interaction: Interaction | null;
  finish_reason: string | null;
  tokens_used: number;
  token_usage: TokenUsageBody;
  /** Seconds. */
  execution_time: number;
}

export interface ExecuteRequest {
  inputs?: {
    query?: string;
    session_id?: string;
    memory?: boolean;
    context?: boolean;
    internet?: boolean;
    images?: string[];
    audios?: string[];
    [variable: string]: unknown;
  };
  settings?: {
    temperature?: number;
    maxTokens?: number;
    top_p?: number;
    presence_penalty?: number;
    frequency_penalty?: number;
  };
}

export interface ExecuteResult {
  success: true;
  message: string;
  answer: string;
  agent_id: string;
  execution_time: number;
  token_usage: TokenUsageBody;
  session_id?: string;
  /** The parsed answer of an agent with a `responseSchema`. */
  output?: unknown;
}

export interface Answer {
  selectedOptionIds: string[];
  /** Text of one's own, where the form allows it. */
  otherText?: string | null;
}
