import { type FrameEnvelope, frameIn, isFrame, kindOfFrame, type TurnFrameKind } from '@switchyard/contracts';
import { canonicalJson } from '@switchyard/kernel';

export const kindOf = (frame: FrameEnvelope): TurnFrameKind | undefined => kindOfFrame(frameIn(frame));

/** Output of one turn that a client received over all its connections. */
export class Transcript {
  readonly frames: FrameEnvelope[] = [];
  /** Violations of a stream: a missing frame, or a repeated frame with different content. */
  readonly problems: string[] = [];

  get last(): number {
    return this.frames.length;
  }

  /** Of a connection that goes on, or begins anew with the first frame: then what is known comes once more. */
  take(frame: FrameEnvelope): boolean {
    const existing = this.frames[frame.seq - 1];
    if (existing) {
      if (said(existing) !== said(frame))
        this.problems.push(`frame ${frame.seq} was ${said(existing)} and became ${said(frame)}`);
      return false;
    }
    if (frame.seq !== this.last + 1) {
      this.problems.push(`frame ${frame.seq} came after ${this.last}`);
      return false;
    }
    this.frames.push(frame);
    return true;
  }
}

/** Times are the server's affair: a replay may tell them anew. */
export const said = ({ method, params, seq }: FrameEnvelope): string =>
  `${seq} ${method} ${canonicalJson(params.data)}`;

/** The text without deltas of a step that was restarted later. */
export function textOf(envelopes: readonly FrameEnvelope[]): string {
  const frames = envelopes.map(frameIn);
  const restarts = frames.flatMap((frame) =>
    isFrame(frame, 'stepRestarted') ? [{ from: frame.data.from_seq, to: frame.seq }] : [],
  );
  return frames
    .filter((frame) => isFrame(frame, 'contentDelta'))
    .filter(({ seq }) => !restarts.some(({ from, to }) => seq >= from && seq < to))
    .map(({ data }) => data.delta)
    .join('');
}
