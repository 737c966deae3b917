const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^\\s*${TOKEN}/${TOKEN}\\s*(?:;|$)`);

/** Whether a Content-Type names a type and a subtype at all (RFC 9110). */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);
