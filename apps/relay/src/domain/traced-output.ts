import { isPlainObject } from '@switchyard/kernel';
import { CompletionReader } from './completion-reader';
import type { TracedOutput } from './traced-messages';

/** The text of a stream that was passed on as it came: everything that the model wrote, in one. */
export const tracedText = (text: string, isFinished: boolean): TracedOutput => ({
  text,
  reasoning: '',
  toolCalls: [],
  finishReason: isFinished ? 'stop' : null,
});

/** A whole answer that was passed on: of chat completions, completions or the Responses API. */
export function tracedOutput(answer: unknown): TracedOutput {
  if (!isPlainObject(answer)) return tracedText('', false);
  if (Array.isArray(answer['output']))
    return tracedText(outputText(answer['output']), answer['status'] === 'completed');
  const reader = new CompletionReader();
  reader.read(answer);
  const output = reader.output();
  const first: unknown = Array.isArray(answer['choices']) ? answer['choices'][0] : null;
  const text = isPlainObject(first) && typeof first['text'] === 'string' ? first['text'] : output.text;
  return { ...output, text };
}

const outputText = (output: readonly unknown[]): string =>
  output
    .flatMap((item) => (isPlainObject(item) && Array.isArray(item['content']) ? (item['content'] as unknown[]) : []))
    .map((part) => (isPlainObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
