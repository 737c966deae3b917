const WORDS =
  '(?:change[-_ ]?(?:me|it|this)|secret|passwor[dt]|passwd|admin|root|postgres|switchyard|example|insecure|default|dev(?:elopment)?|test(?:ing)?|demo|local|sample|dummy|letmein|qwerty|replace[-_ ]?me)';
const ONLY_WORDS = new RegExp(`^(?:${WORDS}|[-_. !?\\d])+$`, 'i');
/** Random bytes of a key have far more different characters than this, in hex as well. */
const FEW_CHARACTERS = 8;
const LONG = 16;

const isGuessable = (secret: string): boolean =>
  ONLY_WORDS.test(secret) || (secret.length >= LONG && new Set(secret).size < FEW_CHARACTERS) || isCounted(secret);

/** `0123456789abcdef` and the like: each character follows the one before. */
function isCounted(secret: string): boolean {
  if (secret.length < LONG) return false;
  let steps = 0;
  for (let at = 1; at < secret.length; at += 1) {
    if (secret.charCodeAt(at) === secret.charCodeAt(at - 1) + 1) steps += 1;
  }
  return steps > secret.length * 0.7;
}

/** The secret part of a value: the password of an address, the keys of `2:<key>,1:<key>`, or all of it. */
function partsOf(value: string): string[] {
  if (/^[a-z][a-z+]*:\/\//i.test(value)) {
    try {
      const { password } = new URL(value);
      return password === '' ? [] : [decodeURIComponent(password)];
    } catch {
      return [];
    }
  }
  return value.split(',').map((part) => part.replace(/^\d+:/, ''));
}

/** Whether a secret is one of those that everybody knows: left over from an example, a tutorial or a test. */
export const isDevelopmentSecret = (value: string): boolean => partsOf(value).some(isGuessable);
