/** The answer as far as so many of its server-sent events, and then a connection that is reset. */
export function brokenOff(answer: Response, events: number): Response {
  let remaining = events;
  let rest = '';
  const cut = new TransformStream<string, string>({
    transform(text, sink) {
      const sent = (rest + text).split(/(?<=\n\n)/);
      rest = sent.at(-1)?.endsWith('\n\n') ? '' : (sent.pop() ?? '');
      for (const event of sent) {
        if (remaining === 0) {
          sink.error(new TypeError('terminated'));
          return;
        }
        remaining -= 1;
        sink.enqueue(event);
      }
    },
    // A stream of as many events has told all of them: it breaks before it ends.
    flush: (sink) => {
      sink.error(new TypeError('terminated'));
    },
  });
  const body = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(cut).pipeThrough(new TextEncoderStream());
  return new Response(body, answer);
}
