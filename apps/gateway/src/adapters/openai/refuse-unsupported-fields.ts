import { invalid } from '@switchyard/kernel';
import { optionalObject } from '../../turn-events/read-json-fields';

/** Default values that OpenAI's clients send are ignored; other values in these fields would change the answer. */
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
  stop: [[]],
  seed: [],
  logit_bias: [{}],
  audio: [],
  prediction: [],
  reasoning_effort: [],
  verbosity: ['medium'],
  web_search_options: [],
  functions: [[]],
  function_call: [],
};
const INCLUDED = new Set(['reasoning.encrypted_content']);

const SUMMARIES = new Set<unknown>(['auto', 'concise', 'detailed']);

const isNone = (value: unknown): boolean => value === undefined || value === null;
const isOneOf = (value: unknown, values: readonly unknown[]): boolean =>
  values.some((each) => JSON.stringify(each) === JSON.stringify(value));
const isListOf = (value: unknown, allowed: ReadonlySet<unknown>): boolean =>
  Array.isArray(value) && value.every((each) => allowed.has(each));

/**
 * Refuses options of a protocol that agents do not support, by name. None is ignored if it would change the result.
 */
export function refuseUnsupported(body: object): void {
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const harmless = HARMLESS[name];
    if (harmless && !isNone(value) && !isOneOf(value, harmless))
      throw invalid(name, `is not supported${harmless.length > 0 ? ` but for ${JSON.stringify(harmless[0])}` : ''}`);
  }
  const { include, reasoning, modalities, stream_options: options } = body as Record<string, unknown>;
  if (!isNone(include) && !isListOf(include, INCLUDED)) throw invalid('include', 'names what agents do not give');
  if (!isNone(modalities) && !isListOf(modalities, new Set(['text']))) throw invalid('modalities', 'may only be text');
  for (const [name, value] of Object.entries(optionalObject(options, 'stream_options') ?? {}))
    if (!isNone(value) && typeof value !== 'boolean') throw invalid(`stream_options.${name}`, 'must be true or false');
  for (const [name, value] of Object.entries(optionalObject(reasoning, 'reasoning') ?? {}))
    if (!isNone(value) && !(name.endsWith('summary') && SUMMARIES.has(value)))
      throw invalid(`reasoning.${name}`, 'is set by the agent');
}
