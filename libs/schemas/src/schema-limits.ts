import { type ErrorDetail, type Subschema, TEXT_FORMATS, isPlainObject, isTextFormat } from '@switchyard/kernel';
import { RE2JS } from 're2js';
import { patternInstructions } from './patterns/pattern-instructions';

export const PATTERN_LIMITS = { characters: 512, instructions: 2000 };
/** Schemas stored before the limits existed may exceed them by this factor. */
const STORED_TIMES = 4;

const OFFERED = TEXT_FORMATS.join(', ');

export interface LimitFindings {
  /** Reasons not to compile the schema at all. */
  problems: ErrorDetail[];
  /** Reasons to reject a new schema; a stored one is compiled without these keywords, or as it is. */
  refusals: ErrorDetail[];
  /** Distinct patterns. */
  patterns: PatternAt[];
  instructions: number;
}

interface PatternAt {
  pattern: string;
  path: string;
}

function patternsOf({ schema, path }: Subschema): PatternAt[] {
  const { pattern, patternProperties } = schema;
  return [
    ...(typeof pattern === 'string' ? [{ pattern, path: `${path}/pattern` }] : []),
    ...(isPlainObject(patternProperties)
      ? Object.keys(patternProperties).map((name) => ({ pattern: name, path: `${path}/patternProperties` }))
      : []),
  ];
}

/** Checks the patterns and formats of a schema against their limits, before they are compiled. */
export function limitFindings(parts: readonly Subschema[]): LimitFindings {
  const found: LimitFindings = { problems: [], refusals: [], patterns: [], instructions: 0 };
  const { characters, instructions } = PATTERN_LIMITS;
  const tooLong = (path: string): ErrorDetail => ({ path, message: `must have at most ${characters} characters` });
  const counted = new Set<string>();
  for (const part of parts) {
    const { format } = part.schema;
    if (typeof format === 'string' && !isTextFormat(format))
      found.refusals.push({ path: `${part.path}/format`, message: `is not offered; it must be one of ${OFFERED}` });
    for (const { pattern, path } of patternsOf(part)) {
      if (pattern.length > STORED_TIMES * characters) return { ...found, problems: [tooLong(path)] };
      if (pattern.length > characters) found.refusals.push(tooLong(path));
      // A pattern that occurs several times is compiled once.
      if (counted.has(pattern)) continue;
      counted.add(pattern);
      found.patterns.push({ pattern, path });
      found.instructions += patternInstructions(RE2JS.translateRegExp(pattern));
    }
  }
  if (found.instructions > instructions) {
    const tooMany = {
      path: '',
      message: `must not have patterns of more than ${instructions} instructions together (they have up to ${found.instructions})`,
    };
    if (found.instructions > STORED_TIMES * instructions) found.problems.push(tooMany);
    else found.refusals.push(tooMany);
  }
  return found;
}
