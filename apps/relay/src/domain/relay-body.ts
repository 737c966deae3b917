import { invalid, isPlainObject } from '@switchyard/kernel';
import { KeySpan, setTopLevel, topLevelKeys } from './edit-json-text';

/** Fields that would tell an upstream (or a proxy in front of it) where to go or whose key to use. */
const NEVER_SENT = new Set([
  'api_base',
  'base_url',
  'api_key',
  'api_version',
  'extra_headers',
  'extra_body',
  'organization',
  'api_type',
  'custom_llm_provider',
]);

/** A JSON request to the relay: read once, sent on as the bytes that it came in, but for what must change. */
export interface RelayBody {
  text: string;
  keys: readonly KeySpan[];
  fields: Readonly<Record<string, unknown>>;
  model: string;
  isStream: boolean;
  /** The caller asked for the usage chunk of a stream. */
  showUsage: boolean;
}

export function parseRelayBody(text: string): RelayBody {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    throw invalid('', 'The body is not valid JSON.');
  }
  if (!isPlainObject(fields)) throw invalid('', 'The body must be a JSON object.');
  const keys = topLevelKeys(text);
  const forbidden = keys.find(({ key }) => NEVER_SENT.has(key));
  if (forbidden) throw invalid(forbidden.key, 'is not a parameter of this relay');
  const { model } = fields;
  if (typeof model !== 'string' || model === '')
    throw invalid('model', 'is required: the id of a model, see GET /models/v1/models');
  const options = fields['stream_options'];
  return {
    text,
    keys,
    fields,
    model,
    isStream: fields['stream'] === true,
    showUsage: isPlainObject(options) && options['include_usage'] === true,
  };
}

/** The part of a request that the model reads; the prompt's tokens are estimated from it. */
export const promptOf = (body: RelayBody): unknown =>
  ['messages', 'prompt', 'input', 'instructions', 'tools', 'functions'].map((name) => body.fields[name] ?? null);

/** The input as messages, for all three request formats. */
export function messagesIn({ fields }: RelayBody): unknown[] {
  const { instructions } = fields;
  const input = fields['messages'] ?? fields['input'] ?? fields['prompt'] ?? [];
  return [
    ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
    ...(Array.isArray(input) ? (input as unknown[]) : [input]),
  ];
}

/** The body for one upstream: its own name of the model, and usage in streams where it gives any. */
export function bodyFor(body: RelayBody, upstream: { model: string; addUsage: boolean }): string {
  const changes: Record<string, unknown> = {};
  if (upstream.model !== body.model) changes['model'] = upstream.model;
  if (upstream.addUsage && !body.showUsage) {
    const options = body.fields['stream_options'];
    changes['stream_options'] = { ...(isPlainObject(options) ? options : {}), include_usage: true };
  }
  return Object.keys(changes).length === 0 ? body.text : setTopLevel(body.text, body.keys, changes);
}
