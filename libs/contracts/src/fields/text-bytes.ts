/** What a text may take that has no limit of its own, in bytes of UTF-8. */
export const TEXT_BYTES = 1024 * 1024;

export const OVER_TEXT_BYTES = 'must not be longer than 1 MiB in UTF-8';

/** Whether a text takes more bytes than that; it is only counted where its length leaves that open. */
export const isOverTextBytes = (text: string): boolean =>
  text.length > TEXT_BYTES || (text.length * 3 > TEXT_BYTES && Buffer.byteLength(text) > TEXT_BYTES);
