import type { CompletionFrame } from '@switchyard/contracts';
import type { CompletionReader } from './completion-reader';
import { PlainEvents, plainPiece } from './delta-fast-path';
import { dataOf, endOfEvent, isDone } from './sse-splitter';
import { unavailable } from './upstream-error';

/** Text whose JSON is itself. */
const AS_IT_STANDS = /^[ -!#-[\]-~]*$/;

/** Reads a stream's events; those that are like the one before but for their text are not parsed. */
export class CompletionEvents {
  private readonly plain = new PlainEvents();

  constructor(private readonly reader: CompletionReader) {}

  /**
   * The frames of whole events, up to what the upstream says of its failure. Joined: pieces of text that follow one
   * another are one frame.
   */
  framesOf(events: Buffer, areJoined = false): { frames: CompletionFrame[]; failure?: Error } {
    const frames: CompletionFrame[] = [];
    try {
      this.read(events, frames, areJoined);
      return { frames };
    } catch (error) {
      return { frames, failure: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  private read(events: Buffer, frames: CompletionFrame[], areJoined: boolean): void {
    const text = events.toString('latin1');
    for (let start = 0, end = 0; start < text.length; start = end) {
      const piece = this.plain.find(text, start);
      if (piece !== null && AS_IT_STANDS.test(piece)) {
        ({ end } = this.plain);
        if (piece !== '') add(this.reader.readText(piece), frames, areJoined);
      } else {
        end = endOfEvent(text, start);
        this.readEvent(text.slice(start, end), frames, areJoined);
      }
    }
  }

  private readEvent(event: string, frames: CompletionFrame[], areJoined: boolean): void {
    const data = isDone(event) ? null : dataOf(event);
    if (data === null) return;
    const { usage } = this.reader;
    const found = this.reader.read(parseChunk(data));
    const piece = plainPiece(event);
    const text = piece && event.slice(piece.from, piece.to);
    const [frame] = found;
    const isTextAlone = found.length === 1 && frame?.kind === 'delta' && frame.text === text && AS_IT_STANDS.test(text);
    if (piece && isTextAlone && this.reader.usage === usage && this.reader.finishReason === null)
      this.plain.learn(event, piece);
    for (const one of found) add(one, frames, areJoined);
  }
}

/** Joined: words that follow words of the same kind lengthen their frame. */
function add(frame: CompletionFrame, frames: CompletionFrame[], areJoined: boolean): void {
  const last = areJoined ? frames.at(-1) : undefined;
  const isMore = last?.kind === frame.kind && (frame.kind === 'delta' || frame.kind === 'reasoning');
  if (last && isMore) last.text = `${last.text ?? ''}${frame.text ?? ''}`;
  else frames.push(frame);
}

function parseChunk(data: string): unknown {
  const chunk: unknown = JSON.parse(data);
  if (typeof chunk === 'object' && chunk !== null && 'error' in chunk && chunk.error)
    throw unavailable(new Error('the upstream reported an error within its stream'));
  return chunk;
}
