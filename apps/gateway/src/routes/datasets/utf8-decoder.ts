import { isUtf8 } from 'node:buffer';
import { invalid } from '@switchyard/kernel';

const NEWLINE = 10;

/** Bytes as they come in, as text: no character is cut, and a line that is not UTF-8 is refused by its number. */
export class Utf8Decoder {
  /** The line that the next character is of. */
  line = 1;
  private rest: Buffer = Buffer.alloc(0);
  private isFirst = true;

  take(bytes: Buffer): string {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const end = wholeLength(all);
    this.rest = Buffer.from(all.subarray(end));
    return this.read(all.subarray(0, end));
  }

  /** Nothing more comes: a character that was begun is refused. */
  end(): string {
    return this.read(this.rest);
  }

  private read(bytes: Buffer): string {
    if (!isUtf8(bytes)) throw invalid(`line ${this.line + badLine(bytes)}`, 'is not valid UTF-8');
    this.line += newlines(bytes);
    const text = bytes.toString();
    const isMarked = this.isFirst && text.startsWith('\ufeff');
    if (text !== '') this.isFirst = false;
    return isMarked ? text.slice(1) : text;
  }
}

/** How much there is without a last character of which more is to come. */
function wholeLength(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at -= 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** How many lines are before the first that is not UTF-8. */
function badLine(bytes: Buffer): number {
  let line = 0;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    if (!isUtf8(bytes.subarray(start, end))) return line;
    line += 1;
    start = end + 1;
  }
  return line;
}
