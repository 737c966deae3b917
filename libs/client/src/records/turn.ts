import type { Schemas } from '../api/schemas';

export type Turn = Schemas['TurnView'];
export type TurnStatus = Turn['status'];

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

/** One item of a message. The OpenAPI document has one record; here each kind has its own fields. */
export type ContentItem = TextContent | ImageContent | AudioContent | FileContent;

export type ChatSettings = Schemas['ChatSettings'];

/** Without `turnId` the client makes one, so that a repeat never runs twice. Whether it streams is the method's choice. */
export type ChatRequest = Omit<Schemas['ChatBody'], 'contents' | 'stream'> & { contents: ContentItem[] };

export type TokenUsageBody = Schemas['UsageReport'];
export type Interaction = Schemas['InteractionView'];
export type InboxInteraction = Schemas['InboxInteraction'];
export type InteractionOption = Schemas['InteractionOption'];
export type ChatResult = Schemas['ChatAnswer'];

/** The recognised inputs; everything else is a variable of the agent's prompt. */
export interface ExecuteInputs {
  query?: string;
  session_id?: string;
  memory?: boolean;
  context?: boolean;
  internet?: boolean;
  images?: string[];
  audios?: string[];
  [variable: string]: unknown;
}

export type ExecuteRequest = Omit<Schemas['ExecuteBody'], 'inputs' | 'stream'> & { inputs?: ExecuteInputs };
export type ExecuteResult = Omit<Schemas['ExecuteAnswer'], 'success' | 'message'>;

export interface Answer {
  selectedOptionIds: string[];
  /** Text of one's own, where the form allows it. */
  otherText?: string | null;
}
