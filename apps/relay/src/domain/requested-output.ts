import { invalid } from '@switchyard/kernel';
import { CatalogueModel } from './catalogue';

/** How many answers a request asks for, and how long they may be. */
export interface RequestedOutput {
  /** Of one answer; only when the caller said it. */
  maxTokens?: number;
  /** Answers to each prompt. */
  choices: number;
  /** The older completions take several in one request. */
  prompts: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The names by which each endpoint knows the length of an answer and their number. */
const NAMES: Readonly<Record<string, { lengths: readonly string[]; choices: readonly string[] }>> = {
  'chat/completions': { lengths: ['max_completion_tokens', 'max_tokens'], choices: ['n'] },
  completions: { lengths: ['max_tokens'], choices: ['n', 'best_of'] },
  responses: { lengths: ['max_output_tokens'], choices: [] },
};
const MAX_CHOICES = 128;

/** The greatest of these fields: where several stand, upstreams disagree on which one counts. */
function greatest(fields: Fields, names: readonly string[], max = Infinity): number | undefined {
  let found: number | undefined;
  for (const name of names) {
    const value = fields[name] ?? undefined;
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > max)
      throw invalid(
        name,
        max === Infinity ? 'must be a whole number of 1 or more' : `must be a whole number from 1 to ${max}`,
      );
    found = Math.max(found ?? 0, value as number);
  }
  return found;
}

function promptsIn(prompt: unknown): number {
  // A list of numbers is one prompt, in tokens.
  if (!Array.isArray(prompt) || typeof prompt[0] === 'number') return 1;
  return Math.max(1, prompt.length);
}

export function requestedOutput(path: string, fields: Fields): RequestedOutput {
  const { lengths, choices } = NAMES[path] ?? { lengths: [], choices: [] };
  return {
    maxTokens: greatest(fields, lengths),
    choices: greatest(fields, choices, MAX_CHOICES) ?? 1,
    prompts: path === 'completions' ? promptsIn(fields['prompt']) : 1,
  };
}

/** Output tokens that the request names explicitly. */
export const requestedTokens = ({ maxTokens = 0, choices, prompts }: RequestedOutput): number =>
  maxTokens * choices * prompts;

/** The most that an upstream may write and bill: every answer as long as the model and its window let it be. */
export function mostOutput(
  model: Pick<CatalogueModel, 'contextWindow' | 'maxOutputTokens'>,
  promptTokens: number,
  { maxTokens, choices, prompts }: RequestedOutput,
): number {
  if (model.maxOutputTokens === 0 && maxTokens === undefined) return 0;
  const capacity = Math.max(1, prompts * model.contextWindow - promptTokens);
  return choices * Math.min(prompts * (maxTokens ?? model.maxOutputTokens), capacity);
}
