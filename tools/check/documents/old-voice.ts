import { proseOf } from './markdown-blocks';

/** Turns of phrase that a native writer would not use, each with an ordinary word that replaces it. */
const TURNS: readonly [RegExp, string][] = [
  [/(?:^|[.!:;] )(?:What|Who|Whoever|Whatever|Nobody|Somebody) [^?]*?[.!;:]/gu, 'name the subject'],
  [/\b(?:whoever|nobody|somebody)\b/giu, 'name the actor'],
  [/\b(?:go|goes|went|gone|going) on\b/giu, 'continue'],
  [/\b(?:is|are|was|were|be|been|being) told\b/giu, 'notify, receive'],
  [/\b(?:give|gives|gave|given|giving) (?:\w+ ){0,3}up\b(?! to\b)/giu, 'drop, abandon, dead-letter'],
  [/\b(?:is|are|was|were|be) held to\b/giu, 'must match, is limited to'],
  [/\btime is over\b/giu, 'expired'],
  [/\bfor good\b/giu, 'permanently'],
  [/\banew\b/giu, 'again'],
  [/\blet(?:s|ting)? (?:\w+ )?go\b/giu, 'release, drop'],
  [/\bst(?:and|ands|ood) still\b/giu, 'pause, stop'],
  [/\b(?:is|are|was|were) none\b/giu, 'there is no, does not'],
  [/\b(?:is|are|was|were) said\b|\bsaid so\b/giu, 'report, state'],
  [/\b(?:is|are|was|were) asked (?:for|of|back)\b/giu, 'request'],
  [/\b(?:is|are|was|were) (?:looked|believed|heard)\b/giu, 'check, accept, receive'],
  [/\b(?:is|are|was|were) away\b/giu, 'is down, is unavailable'],
  [/\bin its turn\b/giu, 'then'],
  [/\bof before\b/giu, 'earlier'],
  [/\bput(?:s|ting)? off\b/giu, 'postpone, delay'],
  [/\b(?:mend|mends|mended)\b/giu, 'fix'],
  [/\b(?:roads?|doors?|lanes?|twins?)\b/giu, 'path, endpoint, queue, second'],
  [/\bfor its own weight\b/giu, 'too large'],
];

/** Each turn of the old voice in a block, with what to say instead. */
export const oldVoiceIn = (block: string): string[] =>
  TURNS.flatMap(([turn, instead]) =>
    (proseOf(block).match(turn) ?? []).map((found) => `"${found.trim().slice(0, 40)}" (${instead})`),
  );
