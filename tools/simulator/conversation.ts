/** The parts of a chat request that the simulator reads. Anything may be missing: clients are many. */
export interface WireMessage {
  role?: unknown;
  content?: unknown;
  tool_calls?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
}

const IMAGE_TOKENS = 85;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The text of a message, whether it is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n');
}

export function countWords(text: string): number {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i += 1) {
    const isSpace = text.charCodeAt(i) <= 32;
    if (!isSpace && !inside) words += 1;
    inside = !isSpace;
  }
  return words;
}

function countContent(content: unknown): number {
  if (typeof content === 'string') return countWords(content);
  if (!Array.isArray(content)) return 0;
  let words = 0;
  for (const part of content as unknown[]) {
    if (!isRecord(part)) continue;
    words += typeof part['text'] === 'string' ? countWords(part['text']) : IMAGE_TOKENS;
  }
  return words;
}

/** The simulator's tokens are words: those of every message, of the calls in them and of the offered tools. */
export function countPrompt(messages: readonly WireMessage[], tools: unknown): number {
  let words = Array.isArray(tools) && tools.length > 0 ? countWords(JSON.stringify(tools, null, 1)) : 0;
  for (const message of messages) {
    words += countContent(message.content);
    // Providers refuse or bill reasoning that comes back: it shows here.
    words += countContent(message.reasoning_content) + countContent(message.reasoning);
    if (Array.isArray(message.tool_calls)) words += countWords(JSON.stringify(message.tool_calls, null, 1));
  }
  return Math.max(1, words);
}

export interface Position {
  newestUserText: string;
  /** Model calls that this user message has already been answered with. */
  callsMade: number;
  lastToolResult: string;
}

/** Where in its script a conversation stands. */
export function positionOf(messages: readonly WireMessage[]): Position {
  let newest = messages.length - 1;
  while (newest >= 0 && messages[newest]?.role !== 'user') newest -= 1;
  const after = messages.slice(newest + 1);
  const toolResults = after.filter((message) => message.role === 'tool');
  return {
    newestUserText: newest >= 0 ? textOf(messages[newest]?.content) : '',
    callsMade: after.filter((message) => message.role === 'assistant').length,
    lastToolResult: textOf(toolResults.at(-1)?.content),
  };
}
