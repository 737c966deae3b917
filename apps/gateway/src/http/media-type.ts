const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^\\s*${TOKEN}/${TOKEN}\\s*(?:;|$)`);

/** Whether a Content-Type names a type and a subtype at all (RFC 9110). */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

const JSON_TYPE = /^[ \t]*application\/json[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset="?([^";\s]*)/i;
const READ = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Whether a Content-Type names JSON in a character set that is read here. Other parameters mean nothing to JSON. */
export function isJsonType(text: string): boolean {
  const charset = CHARSET.exec(text)?.[1];
  return JSON_TYPE.test(text) && (charset === undefined || READ.has(charset.toLowerCase()));
}
