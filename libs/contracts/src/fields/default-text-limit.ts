/** Most UTF-8 bytes of a text without a limit of its own. */
export const TEXT_BYTES = 1024 * 1024;

export const OVER_TEXT_BYTES = 'must not be longer than 1 MiB in UTF-8';

/** Counts only if the text's length does not decide. */
export const isOverTextBytes = (text: string): boolean =>
  text.length > TEXT_BYTES || (text.length * 3 > TEXT_BYTES && Buffer.byteLength(text) > TEXT_BYTES);
