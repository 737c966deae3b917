/** Upstreams that show their reasoning call it by one of two names. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

export type Directive =
  | { kind: 'reply'; text: string }
  | { kind: 'think'; text: string; field: ReasoningField }
  | { kind: 'tokens'; count: number }
  | { kind: 'vary'; count: number }
  | { kind: 'delay'; ms: number }
  | { kind: 'tool'; name: string; arguments: string }
  | { kind: 'json'; text: string }
  | { kind: 'error'; status: number; message: string }
  | { kind: 'cut'; afterTokens: number }
  | { kind: 'usage'; promptTokens: number; completionTokens: number }
  | { kind: 'unknown'; line: string };

const LIMITS = { tokens: 1_000_000, delayMs: 3_600_000 };

const whole = (text: string | undefined, fallback: number, max: number): number => {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isFinite(value) && value >= 0 ? Math.min(value, max) : fallback;
};

function parseLine(line: string): Directive {
  const [, word = '', rest = ''] = /^@@(\S*)\s?(.*)$/s.exec(line) ?? [];
  const parts = rest.trim().split(/\s+/);
  switch (word) {
    case 'reply':
      return { kind: 'reply', text: rest };
    case 'think':
      return { kind: 'think', text: rest, field: 'reasoning_content' };
    case 'reasoning':
      return { kind: 'think', text: rest, field: 'reasoning' };
    case 'tokens':
      return { kind: 'tokens', count: whole(parts[0], 1, LIMITS.tokens) };
    case 'vary':
      return { kind: 'vary', count: whole(parts[0], 1, LIMITS.tokens) };
    case 'delay':
      return { kind: 'delay', ms: whole(parts[0], 0, LIMITS.delayMs) };
    case 'json':
      return { kind: 'json', text: rest.trim() };
    case 'error':
      return { kind: 'error', status: Math.max(400, whole(parts[0], 500, 599)), message: parts.slice(1).join(' ') };
    case 'cut':
      return { kind: 'cut', afterTokens: whole(parts[0], 0, LIMITS.tokens) };
    case 'usage':
      return {
        kind: 'usage',
        promptTokens: whole(parts[0], 0, Number.MAX_SAFE_INTEGER),
        completionTokens: whole(parts[1], 0, Number.MAX_SAFE_INTEGER),
      };
    case 'tool': {
      const name = parts[0] ?? '';
      const given = rest.trim().slice(name.length).trim();
      return { kind: 'tool', name, arguments: given === '' ? '{}' : given };
    }
    default:
      return { kind: 'unknown', line };
  }
}

/**
 * The directives of a message, cut into the model calls that play them: a call ends with a run of `@@tool` lines,
 * because the host must answer those before the model can go on. Empty when the message has no directive.
 */
export function parseScript(text: string): Directive[][] {
  if (!text.includes('@@')) return [];
  const calls: Directive[][] = [];
  let current: Directive[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('@@')) continue;
    const directive = parseLine(line);
    if (directive.kind !== 'tool' && current.at(-1)?.kind === 'tool') {
      calls.push(current);
      current = [];
    }
    current.push(directive);
  }
  if (current.length > 0) calls.push(current);
  return calls;
}
