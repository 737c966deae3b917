import { isUtf8 } from 'node:buffer';
import { invalid } from '@switchyard/kernel';
import { BufferAccumulator } from '../../http/body/buffer-accumulator';

const NEWLINE = 10;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Line {
  number: number;
  text: string;
}

/** Cuts bytes into lines of text, each byte looked at once however the lines are cut. */
export class LineSplitter {
  private readonly line = new BufferAccumulator();
  private number = 1;

  constructor(private readonly maxBytes: number) {}

  /** The bytes of the line that has not ended. */
  get buffered(): number {
    return this.line.length;
  }

  *push(bytes: Buffer): Generator<Line> {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.keep(bytes.subarray(start, end));
      yield this.take();
      start = end + 1;
    }
    this.keep(bytes.subarray(start));
  }

  /** The last line, when it has no line break. */
  end(): Line | null {
    return this.line.length === 0 ? null : this.take();
  }

  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.line.length + bytes.length > this.maxBytes)
      throw invalid(`line ${this.number}`, `must not be longer than ${this.maxBytes} bytes`);
    this.line.add(bytes);
  }

  private take(): Line {
    let line = this.line.take();
    const number = this.number;
    this.number += 1;
    if (!isUtf8(line)) throw invalid(`line ${number}`, 'is not valid UTF-8');
    if (number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    return { number, text: line.toString() };
  }
}
