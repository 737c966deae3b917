import { ApiError, request } from './api.js';

const PROTOCOL = { accept: 'text/event-stream', 'x-service-stream-protocol': 'stream-v3' };

/** The frames of one answer, in order; a gap is an error, as the protocol says. */
export async function* frames(method, path, body, after = 0) {
  const response = await request(method, path, body, PROTOCOL);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const answer = await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, answer, response.headers.get('x-request-id'));
    return;
  }
  let last = after;
  let isOver = false;
  let reason = '';
  for await (const { text, comment } of events(response.body)) {
    // What ends a stream before its turn says why in its last comment.
    if (comment) reason = comment;
    if (!text) continue;
    const frame = JSON.parse(text);
    if (last > 0 && frame.seq !== last + 1) throw new Error(`frame ${frame.seq} came after ${last}`);
    last = frame.seq;
    isOver = frame.params.data.event === 'stream-ended';
    yield frame;
  }
  if (!isOver) throw new Error(/^[A-Z]/.test(reason) ? reason : 'The stream broke off. The turn goes on without it.');
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split('\n');
      const of = (start) =>
        lines
          .filter((line) => line.startsWith(start))
          .map((line) => line.slice(start.length).trimStart())
          .join('\n');
      yield { text: of('data:'), comment: of(':') };
    }
  }
}
