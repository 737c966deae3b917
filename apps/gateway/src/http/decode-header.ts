import { isUtf8 } from 'node:buffer';

/** A header is bytes, and Node reads each of them as a character: text that was sent as UTF-8 is put together again. */
export function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
