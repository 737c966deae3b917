import type { UiChunks } from './ui-chunks';

/** Where a page keeps which conversation a chat is, so that a reload finds it: `localStorage`, for instance. */
export interface ChatStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** A chat's session and its last turn. */
export interface ChatRecord {
  sessionId: string | null;
  turnId: string | null;
  /** The turn was read to its end: there is nothing to go on with. */
  isOver: boolean;
  /** How far this process has read the turn. */
  chunks?: UiChunks;
}

const keyOf = (chatId: string): string => `switchyard-chat:${chatId}`;

export class ChatMemory {
  private readonly chats = new Map<string, ChatRecord>();

  constructor(
    private readonly storage: ChatStorage | undefined,
    private readonly sessionId: string | undefined,
  ) {}

  get(chatId: string): ChatRecord {
    const existing = this.chats.get(chatId) ?? this.stored(chatId);
    this.chats.set(chatId, existing);
    return existing;
  }

  set(chatId: string, changes: Partial<ChatRecord>): void {
    const chat = { ...this.get(chatId), ...changes };
    this.chats.set(chatId, chat);
    const { sessionId, turnId, isOver } = chat;
    this.storage?.setItem(keyOf(chatId), JSON.stringify({ sessionId, turnId, isOver }));
  }

  /** The chat whose turn waits with this interaction. */
  askedBy(interactionId: string): ChatRecord | undefined {
    return [...this.chats.values()].find(({ chunks }) => chunks?.interaction?.id === interactionId);
  }

  private stored(chatId: string): ChatRecord {
    const empty: ChatRecord = { sessionId: this.sessionId ?? null, turnId: null, isOver: false };
    try {
      return { ...empty, ...(JSON.parse(this.storage?.getItem(keyOf(chatId)) ?? '{}') as Partial<ChatRecord>) };
    } catch {
      return empty;
    }
  }
}
