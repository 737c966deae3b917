import { isPlainObject } from '@switchyard/kernel';
import { CompletionReader } from './completion-reader';
import type { Said } from './said-messages';

/** The text of a stream that was passed on as it came: everything that the model wrote, in one. */
export const saidText = (text: string, isFinished: boolean): Said => ({
  text,
  reasoning: '',
  toolCalls: [],
  finishReason: isFinished ? 'stop' : null,
});

/** A whole answer that was passed on: of chat completions, completions or the Responses API. */
export function saidIn(answer: unknown): Said {
  if (!isPlainObject(answer)) return saidText('', false);
  if (Array.isArray(answer['output'])) return saidText(outputText(answer['output']), answer['status'] === 'completed');
  const reader = new CompletionReader();
  reader.read(answer);
  const said = reader.said();
  const first: unknown = Array.isArray(answer['choices']) ? answer['choices'][0] : null;
  const text = isPlainObject(first) && typeof first['text'] === 'string' ? first['text'] : said.text;
  return { ...said, text };
}

const outputText = (output: readonly unknown[]): string =>
  output
    .flatMap((item) => (isPlainObject(item) && Array.isArray(item['content']) ? (item['content'] as unknown[]) : []))
    .map((part) => (isPlainObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
