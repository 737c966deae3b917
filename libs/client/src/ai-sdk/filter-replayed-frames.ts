import { frameIn, handleFrame, isFrame } from '../api/turn-frames';
import type { Frame } from '../stream/frame';

/** How long a stream may pause before nothing is about to come. */
const LULL_MS = 150;

/** Whether something comes before the time is up; a failure is something. */
export const arrives = (promise: Promise<unknown>, ms = LULL_MS): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, ms);
  });
  const came = (): boolean => true;
  return Promise.race([promise.then(came, came), late]).finally(() => {
    clearTimeout(timer);
  });
};

/** A replay without deltas that a later restart of their step has made void. */
export function withoutVoid(frames: readonly Frame[]): Frame[] {
  let valid: Frame[] = [];
  for (const envelope of frames) {
    const frame = frameIn(envelope);
    if (!isFrame(frame, 'stepRestarted')) valid.push(envelope);
    else valid = valid.filter((earlier) => earlier.seq < frame.data.from_seq || !isOfMessage(earlier));
  }
  return valid;
}

function isOfMessage(envelope: Frame): boolean {
  const frame = frameIn(envelope);
  return frame.method === 'messages' || isFrame(frame, 'contentDelta') || isFrame(frame, 'reasoningDelta');
}

/** The calls of a replay whose outcome it has. */
export const callsWithOutcome = (frames: readonly Frame[]): Set<string> =>
  new Set(
    frames.flatMap(
      (frame) =>
        handleFrame(frameIn(frame), {
          toolExecution: ({ status, tool_call_id: callId }) => (status === 'started' ? [] : [callId]),
        }) ?? [],
    ),
  );
