import { SseFrames } from './sse-frames';

describe('the frames of an event stream', () => {
  it('are read from any pieces, without comments', () => {
    const text = ': heartbeat\n\nid: 7\ndata: {"a":"ü"}\n\ndata: [DONE]\n\nid: 8\ndata: x';
    const bytes = Buffer.from(text);
    for (let size = 1; size < bytes.length; size += 1) {
      const frames = new SseFrames();
      const read = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...frames.push(bytes.subarray(at, at + size)));
      expect(read).toEqual([
        { seq: 7, data: '{"a":"ü"}' },
        { seq: null, data: '[DONE]' },
      ]);
    }
  });
});
