import { type DeltaEvent, writeDeltaFrame } from '@switchyard/contracts';

/** What a frame says, before it has a number and a time. */
export interface FrameBody {
  method: 'lifecycle' | 'messages' | 'tools' | 'input' | 'custom:service';
  data: object;
}

export const product = (event: string, fields: object): FrameBody => ({
  method: 'custom:service',
  data: { event, ...fields },
});

/**
 * Numbers the frames of one turn. The only giver of `seq`: contiguous from 1, over pauses and takeovers.
 * A frame is text from here on; `seq` stands last in it, where readers find it without parsing.
 */
export class FrameNumbering {
  constructor(private last = 0) {}

  get seq(): number {
    return this.last;
  }

  write(body: FrameBody, timestamp: number): string {
    return this.finish(
      `{"type":"event","method":"${body.method}","params":{"namespace":[],"timestamp":${timestamp},"data":${JSON.stringify(body.data)}}`,
    );
  }

  /** The frames that there are most of. */
  writeDelta(event: DeltaEvent, delta: string, messageId: string, timestamp: number): string {
    this.last += 1;
    return writeDeltaFrame({ event, delta, messageId, timestamp, seq: this.last });
  }

  private finish(text: string): string {
    this.last += 1;
    return `${text},"seq":${this.last}}`;
  }
}
