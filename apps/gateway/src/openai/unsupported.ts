import { invalid, isPlainObject } from '@switchyard/kernel';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.values(value).every(isEmpty));

/** What OpenAI's clients send by default means nothing; anything else in these fields would change the answer. */
const HARMLESS: Record<string, readonly unknown[]> = {
  tool_choice: ['auto'],
  parallel_tool_calls: [true],
  truncation: ['auto', 'disabled'],
  service_tier: ['auto', 'default'],
  top_logprobs: [0],
  logprobs: [false],
  n: [1],
  max_tool_calls: [],
  prompt: [],
  stop: [],
  seed: [],
  logit_bias: [],
  audio: [],
  prediction: [],
  reasoning_effort: [],
  verbosity: ['medium'],
  web_search_options: [],
  functions: [],
  function_call: [],
};
const INCLUDED = new Set(['reasoning.encrypted_content']);

/** Refuses, by its name, what a protocol offers and an agent does not do. Never left out where it would change meaning. */
export function refuseUnsupported(body: object): void {
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const harmless = HARMLESS[name];
    if (harmless && !isEmpty(value) && !harmless.includes(value))
      throw invalid(name, `is not supported${harmless.length > 0 ? ` but for ${JSON.stringify(harmless[0])}` : ''}`);
  }
  const { include, reasoning, modalities } = body as Record<string, unknown>;
  if (!isEmpty(include) && !(Array.isArray(include) && include.every((name) => INCLUDED.has(name as string))))
    throw invalid('include', 'names what agents do not give');
  if (!isEmpty(modalities) && !(Array.isArray(modalities) && modalities.every((name) => name === 'text')))
    throw invalid('modalities', 'may only be text');
  if (isEmpty(reasoning)) return;
  if (!isPlainObject(reasoning)) throw invalid('reasoning', 'must be an object');
  for (const [name, value] of Object.entries(reasoning))
    if (!isEmpty(value) && !(name.endsWith('summary') && value !== false))
      throw invalid(`reasoning.${name}`, 'is set by the agent');
}
