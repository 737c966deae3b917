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

export const dataOf = (frame: Frame): Record<string, unknown> => frame.params.data;

/** A replay without what a crash has made void: it never was, for those who did not see it. */
export function withoutVoid(frames: readonly Frame[]): Frame[] {
  let valid: Frame[] = [];
  for (const frame of frames) {
    const { event, from_seq: fromSeq } = dataOf(frame);
    if (frame.method !== 'custom:service' || event !== 'step-restarted') valid.push(frame);
    else valid = valid.filter((earlier) => earlier.seq < Number(fromSeq) || !isSaid(earlier));
  }
  return valid;
}

const isSaid = (frame: Frame): boolean =>
  frame.method === 'messages' || ['content-delta', 'reasoning-delta'].includes(String(dataOf(frame)['event']));

/** The calls of a replay whose outcome it holds. */
export const callsWithOutcome = (frames: readonly Frame[]): Set<string> =>
  new Set(
    frames
      .filter((frame) => dataOf(frame)['event'] === 'tool-execution' && dataOf(frame)['status'] !== 'started')
      .map((frame) => String(dataOf(frame)['tool_call_id'])),
  );
