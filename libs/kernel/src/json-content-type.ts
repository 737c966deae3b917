const JSON_TYPE = /^[ \t]*application\/json[ \t]*(?:;|$)/i;
const CHARSET = /;[ \t]*charset="?([^";\s]*)/i;
const READ = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Whether a Content-Type names JSON, in any character set. */
export const namesJson = (text: string): boolean => JSON_TYPE.test(text);

/** Whether a Content-Type names JSON in a supported character set. Other parameters are ignored. */
export function isJsonType(text: string): boolean {
  const charset = CHARSET.exec(text)?.[1];
  return namesJson(text) && (charset === undefined || READ.has(charset.toLowerCase()));
}
