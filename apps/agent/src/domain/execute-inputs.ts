import { invalid, isId, type JsonObject } from '@switchyard/kernel';
import {
  checkAddress,
  checkContents,
  CONTENT_LIMITS,
  type ContentItem,
  isOverTextBytes,
  OVER_TEXT_BYTES,
} from '@switchyard/contracts';

export interface ExecuteInputs {
  contents: ContentItem[];
  sessionId: string | undefined;
  memory: boolean;
  context: boolean;
  internet: boolean;
  /** Remaining inputs, for the prompt template. */
  variables: JsonObject;
}

/** The default user message of a call without a query or other content. */
const NO_QUERY = 'Begin.';

const flag = (inputs: JsonObject, name: string): boolean => {
  const value = inputs[name];
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw invalid(`inputs.${name}`, 'must be true or false');
  return value;
};

function addresses(inputs: JsonObject, name: 'images' | 'audios', kind: 'image' | 'audio'): string[] {
  const value = inputs[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`inputs.${name}`, 'must be a list of addresses');
  if (value.length > CONTENT_LIMITS.items)
    throw invalid(`inputs.${name}`, `must not have more than ${CONTENT_LIMITS.items} items`);
  return value.map((url: unknown, at) => {
    if (typeof url !== 'string') throw invalid(`inputs.${name}[${at}]`, 'must be a string');
    checkAddress(url, kind, `inputs.${name}[${at}]`);
    return url;
  });
}

/** Reads the recognised fields of `inputs`; everything else is a variable of the agent's prompt. */
export function readInputs(inputs: JsonObject, given?: ContentItem[]): ExecuteInputs {
  const {
    query,
    session_id: sessionId,
    memory: _m,
    context: _c,
    internet: _i,
    images: _im,
    audios: _a,
    ...variables
  } = inputs;
  if (query !== undefined && typeof query !== 'string') throw invalid('inputs.query', 'must be a string');
  if (typeof query === 'string' && isOverTextBytes(query)) throw invalid('inputs.query', OVER_TEXT_BYTES);
  if (sessionId !== undefined && !isId(sessionId)) throw invalid('inputs.session_id', 'must be a UUID');
  if (given) checkContents(given);
  const contents: ContentItem[] = [...(given ?? [])];
  if (typeof query === 'string' && query !== '') contents.push({ type: 'text', text: query });
  for (const url of addresses(inputs, 'images', 'image')) contents.push({ type: 'image_url', image_url: { url } });
  for (const url of addresses(inputs, 'audios', 'audio')) contents.push({ type: 'audio', audio_url: { url } });
  return {
    contents: contents.length > 0 ? contents : [{ type: 'text', text: NO_QUERY }],
    sessionId,
    memory: flag(inputs, 'memory'),
    context: flag(inputs, 'context'),
    internet: flag(inputs, 'internet'),
    // A query may also be asked for by the template.
    variables: typeof query === 'string' ? { ...variables, query } : variables,
  };
}
