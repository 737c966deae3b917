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
  for await (const text of events(response.body)) {
    const frame = JSON.parse(text);
    if (last > 0 && frame.seq !== last + 1) throw new Error(`frame ${frame.seq} came after ${last}`);
    last = frame.seq;
    yield frame;
  }
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
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}
