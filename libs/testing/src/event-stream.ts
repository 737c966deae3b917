import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Answer, parseAnswer } from './parse-response';

export interface SseFrame {
  id: string | undefined;
  event: string | undefined;
  /** Parsed when it is JSON, else the text as it came. */
  data: Answer;
}

/** Server-sent events as they arrive. Leaving the loop closes the connection. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame> {
  const events = body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of events as unknown as AsyncIterable<{
    id?: string;
    event?: string;
    data: string;
  }>) {
    yield { id, event, data: parseAnswer(data) };
  }
}
