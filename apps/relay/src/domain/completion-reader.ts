import type { CompletionFrame, ModelToolCall } from '@switchyard/contracts';
import { cleanText, isPlainObject } from '@switchyard/kernel';
import type { TracedOutput } from './traced-messages';
import { ReportedUsage, plausibleUsage, findUsage } from './upstream-usage';

const MAX_TOOL_CALLS = 128;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Turns the chunks of an upstream (or its whole answer) into frames, and keeps what settling needs. */
export class CompletionReader {
  usage: ReportedUsage | null = null;
  finishReason: string | null = null;
  readonly written: string[] = [];
  /** Which of them are reasoning. */
  private readonly thoughts = new Set<number>();
  private readonly calls = new Map<number, ModelToolCall>();

  read(chunk: unknown): CompletionFrame[] {
    this.usage = findUsage(chunk) ?? this.usage;
    if (!isPlainObject(chunk) || !Array.isArray(chunk['choices'])) return [];
    const choice: unknown = chunk['choices'][0];
    if (!isPlainObject(choice)) return [];
    if (typeof choice['finish_reason'] === 'string')
      this.finishReason = cleanText(choice['finish_reason'].slice(0, 64));
    const part = isPlainObject(choice['delta']) ? choice['delta'] : choice['message'];
    if (!isPlainObject(part)) return [];
    this.readCalls(part['tool_calls']);
    const frames: CompletionFrame[] = [];
    const reasoning = text(part['reasoning_content']) || text(part['reasoning']);
    if (reasoning !== '') frames.push({ kind: 'reasoning', text: cleanText(reasoning) });
    const content = text(part['content']) || text(part['refusal']);
    if (content !== '') frames.push({ kind: 'delta', text: cleanText(content) });
    for (const frame of frames) {
      if (frame.kind === 'reasoning') this.thoughts.add(this.written.length);
      this.written.push(frame.text ?? '');
    }
    return frames;
  }

  /** A piece of the answer that is known to be nothing else. */
  readText(text: string): CompletionFrame {
    this.written.push(text);
    return { kind: 'delta', text };
  }

  /** Complete only now: their arguments came in pieces. */
  toolCalls(): CompletionFrame[] {
    return [...this.calls.entries()]
      .sort(([a], [b]) => a - b)
      .filter(([, call]) => call.name !== '')
      .map(([, call], index) => ({
        kind: 'tool-call',
        index,
        toolCall: { id: call.id, name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
      }));
  }

  /** A quick guess of the tokens seen so far: most upstreams send one a chunk. */
  get seenTokens(): number {
    return plausibleUsage(this.usage)?.completionTokens ?? this.written.length;
  }

  /** Everything that the model wrote, arguments of tools included. */
  allWritten(): string[] {
    return [...this.written, ...[...this.calls.values()].flatMap((call) => [call.name, call.arguments])];
  }

  /** The answer as it was seen. */
  output(): TracedOutput {
    return {
      text: this.written.filter((_, at) => !this.thoughts.has(at)).join(''),
      reasoning: this.written.filter((_, at) => this.thoughts.has(at)).join(''),
      toolCalls: [...this.calls.values()].filter(({ name }) => name !== ''),
      finishReason: this.finishReason,
    };
  }

  private readCalls(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const [position, delta] of (deltas as unknown[]).entries()) {
      if (!isPlainObject(delta)) continue;
      const index = typeof delta['index'] === 'number' ? delta['index'] : position;
      if (!this.calls.has(index) && this.calls.size >= MAX_TOOL_CALLS) continue;
      const call = this.calls.get(index) ?? { id: `call_${index}`, name: '', arguments: '' };
      const called = isPlainObject(delta['function']) ? delta['function'] : {};
      this.calls.set(index, {
        id: cleanText(text(delta['id']).slice(0, 200)) || call.id,
        name: call.name || cleanText(text(called['name']).slice(0, 200)),
        arguments: call.arguments + cleanText(text(called['arguments'])),
      });
    }
  }
}
