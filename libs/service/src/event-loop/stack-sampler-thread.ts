import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import type { StackSample } from './stack-sampler';

/** How soon it looks again at the earliest. */
const LOOK_MS = 25;
/** The first samples say where it is; many more of a stall of minutes would say the same. */
const MAX_SAMPLES = 4;

/**
 * V8 runs this on top of what the main thread runs at that moment, so the stack below it is the stack that stalls. The
 * two frames of the expression itself are cut off by the reader.
 */
const EXPRESSION = `(() => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 32;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
})()`;
const OWN_FRAMES = 3;
const SHOWN_FRAMES = 24;

const { beats, afterMs } = workerData as { beats: SharedArrayBuffer; afterMs: number };
const lastBeat = new Float64Array(beats);
let sampled = { beat: 0, count: 0 };
let isSampling = false;

/** Looks, and answers in how many milliseconds there may be something to see. */
function sampleIfStalled(): number {
  const beat = lastBeat[0] ?? 0;
  const ageMs = Number(process.hrtime.bigint()) / 1e6 - beat;
  if (beat === 0 || isSampling) return LOOK_MS;
  if (sampled.beat !== beat) sampled = { beat, count: 0 };
  if (sampled.count >= MAX_SAMPLES) return afterMs;
  // The second half, the full time, twice that: later samples of a long stall are further apart.
  const dueMs = afterMs * 2 ** sampled.count;
  if (ageMs < dueMs) return dueMs - ageMs;
  sampled.count += 1;
  sample(beat);
  return LOOK_MS;
}

function sample(beat: number): void {
  isSampling = true;
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: EXPRESSION, silent: true, returnByValue: true }, (error, answer) => {
    isSampling = false;
    // Left connected, it would keep the process from ending.
    session.disconnect();
    const text: unknown = error ? undefined : answer.result.value;
    if (typeof text !== 'string') return;
    const frames = text.split('\n').slice(OWN_FRAMES, OWN_FRAMES + SHOWN_FRAMES);
    const stack = frames.filter((frame) => !frame.includes('(node:internal')).join('\n');
    const found: StackSample = { beat, stack };
    // In an idle loop there is no frame below the expression: the stall ended as it was asked about.
    if (stack !== '') parentPort?.postMessage(found);
  });
}

function scheduleSample(): void {
  setTimeout(scheduleSample, Math.max(LOOK_MS, sampleIfStalled()));
}

scheduleSample();
