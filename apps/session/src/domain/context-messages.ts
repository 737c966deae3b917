import type { ContentItem, ToolCallRecord, TranscriptRole } from '@switchyard/contracts';

/** A stored message as far as the model's context is concerned. */
export interface ContextEntry {
  id: string;
  seq: number;
  role: TranscriptRole;
  content: ContentItem[];
  toolCalls: ToolCallRecord[] | null;
  toolCallId: string | null;
  name: string | null;
  tokens: number;
}

/**
 * The messages that a model can be shown: events are for people, and providers refuse a tool result without
 * its call as well as a call without its result. A fork or a cancelled turn may have left such halves.
 */
export function wholeEntries(entries: readonly ContextEntry[]): ContextEntry[] {
  const messages = entries.filter((entry) => entry.role !== 'event');
  const stored: ContextEntry[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const entry = messages[at];
    if (!entry || entry.role === 'tool') continue;
    const hasContent = entry.content.some((item) => item.type !== 'text' || (item.text ?? '') !== '');
    if (!entry.toolCalls || entry.toolCalls.length === 0) {
      // An answer that came no further than its reasoning says nothing, and providers refuse empty messages.
      if (hasContent || entry.role === 'user') stored.push(entry);
      continue;
    }
    const results = resultsAfter(messages, at);
    const answered = new Set(results.map((result) => result.toolCallId));
    const calls = entry.toolCalls.filter((call) => answered.has(call.id));
    if (calls.length > 0) stored.push({ ...entry, toolCalls: calls }, ...results);
    else if (hasContent) stored.push({ ...entry, toolCalls: null });
  }
  return stored;
}

/** The results that directly follow the calls of the message at `at`, each call's first one only. */
function resultsAfter(messages: readonly ContextEntry[], at: number): ContextEntry[] {
  const open = new Set((messages[at]?.toolCalls ?? []).map((call) => call.id));
  const results: ContextEntry[] = [];
  for (let next = at + 1; messages[next]?.role === 'tool'; next += 1) {
    const result = messages[next];
    if (result && result.toolCallId !== null && open.delete(result.toolCallId)) results.push(result);
  }
  return results;
}

export const tokensOf = (entries: readonly { tokens: number }[]): number =>
  entries.reduce((sum, entry) => sum + entry.tokens, 0);
