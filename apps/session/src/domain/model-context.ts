import {
  type ContentItem,
  type ContextMessage,
  type ModelContext,
  readFile,
  type SummaryState,
} from '@switchyard/contracts';
import { ContextEntry, tokensOf, wholeEntries } from './context-messages';
import { attachmentLabel } from './message-to-text';

/** Attachments of older messages are sent again up to this many characters of data URI, newest first. */
const ATTACHMENT_BUDGET = 4 * 1024 * 1024;

const weightOf = (item: ContentItem): number =>
  (item.image_url?.url.length ?? 0) + (item.audio_url?.url.length ?? 0) + weightOfFile(item);

/** Texts are part of what was said; only images and sounds are heavy. */
function weightOfFile(item: ContentItem): number {
  if (item.type !== 'file') return 0;
  const file = readFile(item);
  return file.kind === 'image' || file.kind === 'audio' ? file.url.length : 0;
}

const asMessage = (entry: ContextEntry, content: ContentItem[]): ContextMessage => ({
  id: entry.id,
  seq: entry.seq,
  // wholeEntries has left the events out.
  role: entry.role === 'event' ? 'user' : entry.role,
  content,
  ...(entry.toolCalls && entry.toolCalls.length > 0 ? { toolCalls: entry.toolCalls } : {}),
  ...(entry.toolCallId === null ? {} : { toolCallId: entry.toolCallId }),
  ...(entry.name === null ? {} : { name: entry.name }),
});

/** Messages for the model: the newest one in full, large attachments of older ones by name only. */
export function contextOf(
  entries: readonly ContextEntry[],
  summary: { text: string | null; tokens: number },
): ModelContext {
  const whole = wholeEntries(entries);
  let budget = ATTACHMENT_BUDGET;
  const messages = whole
    .map((entry) => entry)
    .reverse()
    .map((entry, age) => {
      const content = entry.content.map((item): ContentItem => {
        const weight = weightOf(item);
        if (weight === 0 || age === 0) return item;
        budget -= weight;
        return budget >= 0 ? item : { type: 'text', text: attachmentLabel(item) };
      });
      return asMessage(entry, content);
    });
  return { summary: summary.text, messages: messages.reverse(), tokens: summary.tokens + tokensOf(whole) };
}

/** Whether the summary was made of all that is old now: any message since then may call for another one. */
export function summaryState(session: { summary: string | null; compactedSeq: number; lastSeq: number }): SummaryState {
  if (session.summary === null) return 'NONE';
  return session.lastSeq > session.compactedSeq ? 'STALE' : 'CURRENT';
}
