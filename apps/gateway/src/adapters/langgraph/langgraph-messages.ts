import type { ContentItem, MessageView } from '@switchyard/contracts';
import { isPlainObject, type JsonObject } from '@switchyard/kernel';

/** A tool call in LangChain's form. */
export const toolCallOf = (id: unknown, name: unknown, args: unknown): JsonObject => ({
  type: 'tool_call',
  id: String(id),
  name: String(name),
  args: isPlainObject(args) ? args : args === undefined || args === null ? {} : { value: args },
});

export const stringOrJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

export interface AiMessage {
  id: string;
  text: string;
  reasoning: string;
  calls: readonly JsonObject[];
  usage: JsonObject | null;
}

export const aiMessage = ({ id, text, reasoning, calls, usage }: AiMessage): JsonObject => ({
  type: 'ai',
  id,
  content: text,
  tool_calls: calls,
  ...(reasoning === '' ? {} : { additional_kwargs: { reasoning_content: reasoning } }),
  ...(usage === null ? {} : { usage_metadata: usage }),
});

interface ToolMessage {
  id: string;
  callId: string;
  name: string;
  content: string;
  failed: boolean;
}

export const toolMessage = ({ id, callId, name, content, failed }: ToolMessage): JsonObject => ({
  type: 'tool',
  id,
  tool_call_id: callId,
  name,
  content,
  status: failed ? 'error' : 'success',
});

function blockOf({ type, text, image_url: image, audio_url: audio, file_info: file }: ContentItem): JsonObject {
  if (type === 'text') return { type, text: text ?? '' };
  if (type === 'image_url') return { type, image_url: { ...image } };
  return type === 'audio' ? { type, url: audio?.url ?? '' } : { type, ...file };
}

const textsOf = (content: readonly ContentItem[]): string => content.map(({ text }) => text ?? '').join('');

const contentOf = (content: readonly ContentItem[]): unknown =>
  content.every(({ type }) => type === 'text') ? textsOf(content) : content.map(blockOf);

/** A message of a transcript in LangChain's form; null for events. */
export function messageOf(message: MessageView): JsonObject | null {
  const { id, role, content, reasoning, toolCalls, toolCallId, name, tokenUsage } = message;
  switch (role) {
    case 'user':
      return { type: 'human', id, content: contentOf(content) };
    case 'assistant':
      return aiMessage({
        id,
        text: textsOf(content),
        reasoning: reasoning ?? '',
        calls: (toolCalls ?? []).map((call) => toolCallOf(call.id, call.name, call.arguments)),
        usage: tokenUsage
          ? {
              input_tokens: tokenUsage.promptTokens,
              output_tokens: tokenUsage.completionTokens,
              total_tokens: tokenUsage.totalTokens,
            }
          : null,
      });
    case 'tool':
      return { type: 'tool', id, tool_call_id: toolCallId ?? '', name: name ?? '', content: textsOf(content) };
    case 'event':
      return null;
  }
}
