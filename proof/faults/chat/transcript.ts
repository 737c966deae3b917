import { canonicalJson } from '@switchyard/kernel';

export interface WireFrame {
  method: string;
  params: { timestamp: number; data: Record<string, unknown> & { event?: string } };
  seq: number;
}

export const eventOf = (frame: WireFrame): string =>
  frame.method === 'custom:service'
    ? String(frame.params.data.event)
    : `${frame.method}:${String(frame.params.data.event)}`;

/** What a client has been told of one turn, over all its connections. */
export class Transcript {
  readonly frames: WireFrame[] = [];
  /** What a stream must never do: leave a frame out, or tell one again in other words. */
  readonly problems: string[] = [];

  get last(): number {
    return this.frames.length;
  }

  /** Of a connection that goes on, or begins anew with the first frame: then what is known comes once more. */
  take(frame: WireFrame): boolean {
    const known = this.frames[frame.seq - 1];
    if (known) {
      if (said(known) !== said(frame))
        this.problems.push(`frame ${frame.seq} was ${said(known)} and became ${said(frame)}`);
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
export const said = ({ method, params, seq }: WireFrame): string => `${seq} ${method} ${canonicalJson(params.data)}`;

/** The text that counts: deltas of a step that was begun anew are void. */
export function textOf(frames: readonly WireFrame[]): string {
  const restarts = frames
    .filter((frame) => eventOf(frame) === 'step-restarted')
    .map(({ seq, params }) => ({ from: Number(params.data.from_seq), to: seq }));
  return frames
    .filter((frame) => eventOf(frame) === 'content-delta')
    .filter(({ seq }) => !restarts.some(({ from, to }) => seq >= from && seq < to))
    .map(({ params }) => String(params.data.delta))
    .join('');
}
