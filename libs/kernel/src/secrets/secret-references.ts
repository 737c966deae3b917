import { type FillMeter, fillText } from '../bytes/bounded-text-fill';

/** The only syntax of a secret reference: `{{ secrets.NAME }}`, with only the name between the braces. */
const REFERENCE = /\{\{ *secrets\.([A-Za-z][A-Za-z0-9_]{0,62}) *\}\}/g;

/** Looks like a reference to a secret, well-formed or not. */
const MENTION = /\{\{-?\s*secrets\s*[.[]/;

/** Pattern source of a secret's name. */
export const SECRET_NAME_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,62}$';

export const mentionsSecret = (text: string): boolean => MENTION.test(text);

/** The distinct names in a text. */
export const secretNamesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name)),
];

/** Whether every mention of a secret is a well-formed reference. */
export const hasOnlyReferences = (text: string): boolean => !mentionsSecret(text.replaceAll(REFERENCE, ''));

export const fillSecretReferences = (text: string, fill: (name: string) => string, meter: FillMeter): string =>
  fillText(text, REFERENCE, fill, meter);

/** The distinct names in all texts of a JSON value. */
export function secretNamesInJson(value: unknown): string[] {
  const names = new Set<string>();
  eachText(value, '', (text) => {
    for (const name of secretNamesIn(text)) names.add(name);
  });
  return [...names];
}

/** Path of the first mention of a secret, keys included, or null. */
export function findSecretMention(value: unknown, path: string): string | null {
  let found: string | null = null;
  eachText(value, path, (text, at) => {
    if (found === null && mentionsSecret(text)) found = at;
  });
  return found;
}

/** Visits every text of a JSON value with its path; a key has the path of its value. */
export function eachText(value: unknown, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value))
    value.forEach((item, i) => {
      eachText(item, `${path}[${i}]`, visit);
    });
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      visit(key, at);
      eachText(item, at, visit);
    }
}

/** Maps every text of a JSON value, keys included. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
  return value;
}
