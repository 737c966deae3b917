import { isTextFormat } from '@switchyard/kernel';
import { spend } from '../check-cost-limit';
import { FORMATS, FORMAT_BYTES } from '../formats';
import type { LinearPattern } from '../patterns/linear-pattern';
import { type Keyword, refuse } from './check-node';

const CHARACTERS_OF_A_UNIT = 8;

/** Unicode characters: each is one or two UTF-16 units. */
function charactersOf(text: string): number {
  spend(text.length / CHARACTERS_OF_A_UNIT);
  let pairs = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc_00) !== 0xd8_00 || (text.charCodeAt(at + 1) & 0xfc_00) !== 0xdc_00) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}

/** Characters are counted only if the text's length alone does not decide. */
export const maxLength =
  (most: number): Keyword =>
  (text, problems) =>
    typeof text !== 'string' ||
    text.length <= most ||
    (text.length <= 2 * most && charactersOf(text) <= most) ||
    refuse(problems, 'maxLength', { limit: most });

export const minLength =
  (least: number): Keyword =>
  (text, problems) =>
    typeof text !== 'string' ||
    text.length >= 2 * least ||
    (text.length >= least && charactersOf(text) >= least) ||
    refuse(problems, 'minLength', { limit: least });

export const pattern =
  (expression: string, compiled: LinearPattern): Keyword =>
  (text, problems) =>
    typeof text !== 'string' || compiled.test(text) || refuse(problems, 'pattern', { pattern: expression });

/** Unknown formats are ignored, as the standard allows. */
export function format(name: string): Keyword | null {
  if (!isTextFormat(name)) return null;
  const check = FORMATS[name];
  return (text, problems) => {
    if (typeof text !== 'string') return true;
    if (text.length > FORMAT_BYTES || Buffer.byteLength(text) > FORMAT_BYTES)
      return refuse(problems, 'formatLength', { limit: FORMAT_BYTES });
    spend(10 + text.length);
    return check(text) || refuse(problems, 'format', { format: name });
  };
}
