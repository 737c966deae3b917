import type { Interaction } from '@switchyard/client';

export type Call = NonNullable<Interaction['calls']>[number];

/** A sentence about a call is better with these. All of them may be missing. */
export interface ToolFacts {
  title?: string | undefined;
  /** JSON Schema of the arguments. */
  schema?: object | undefined;
  /** Names of records, by the ids that the arguments contain. */
  names?: ReadonlyMap<string, string> | undefined;
}

export interface Input {
  label: string;
  value: string;
}

export interface CallQuestion {
  /** "Refund 180.00 EUR for order 1002?" */
  question: string;
  /** Arguments that the sentence does not contain. Ids of built-in tools are in the details alone. */
  inputs: Input[];
}

type Values = Record<string, unknown>;

const SHORT = 60;
const LONG = 240;
/** More would not be read as a sentence. */
const MAX_IN_SENTENCE = 3;
const AMOUNT = /^(?:amount|total|price|sum)$/iu;
const CURRENCY = /^currency$/iu;
const ARTICLE = /^(?:a|an|the)$/iu;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `crm__refundOrder` reads "refund order". */
const wordsIn = (name: string): string =>
  (name.split('__').at(-1) ?? name)
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .trim()
    .toLowerCase();

export const titleOf = ({ name }: Call, { title }: ToolFacts): string =>
  clipped(title?.trim() ? title.trim().replace(/[?.!]+$/u, '') : capital(wordsIn(name)), 120);

/** Short values can stand in a sentence; null for the others. */
function shortText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string' || value === '' || value.length > SHORT || value.includes('\n')) return null;
  return /\s/u.test(value) ? `“${value}”` : value;
}

const shown = (value: unknown): string => clipped(typeof value === 'string' ? value : JSON.stringify(value), LONG);

function money(amount: unknown, currency: unknown): string | null {
  if (typeof currency !== 'string' || !/^[a-z]{3}$/iu.test(currency)) return null;
  const code = currency.toUpperCase();
  if (typeof amount === 'string') return /^-?\d+(?:\.\d+)?$/u.test(amount) ? `${amount} ${code}` : null;
  if (typeof amount !== 'number') return null;
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, 6),
  });
  return `${format.format(amount)} ${code}`;
}

interface Split {
  amount: string | null;
  parts: Input[];
  inputs: Input[];
}

/** Declared inputs first, in their order: the amount, what can be in a sentence, and the rest. */
function split(values: Values, schema: object | undefined): Split {
  const declared = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const names = [...new Set([...Object.keys(declared), ...Object.keys(values)])].filter((name) => name in values);
  const labelOf = (name: string): string => {
    const declaration = declared[name];
    const title = isObject(declaration) ? declaration['title'] : undefined;
    return typeof title === 'string' && title.trim() !== ''
      ? clipped(title.trim().toLowerCase(), SHORT)
      : wordsIn(name);
  };
  const amountName = names.find((name) => AMOUNT.test(name));
  const currencyName = names.find((name) => CURRENCY.test(name));
  const amount =
    amountName === undefined || currencyName === undefined ? null : money(values[amountName], values[currencyName]);
  const parts: Input[] = [];
  const inputs: Input[] = [];
  for (const name of names) {
    if (amount !== null && (name === amountName || name === currencyName)) continue;
    const value = shortText(values[name]);
    const most = amount === null ? MAX_IN_SENTENCE : MAX_IN_SENTENCE - 1;
    if (value !== null && parts.length < most) parts.push({ label: labelOf(name), value });
    else inputs.push({ label: capital(labelOf(name)), value: shown(values[name]) });
  }
  return { amount, parts, inputs };
}

const joined = (parts: readonly Input[]): string => parts.map(({ label, value }) => `${label} ${value}`).join(', ');

/** Of a tool that the platform does not have by itself: its title and what it is given. */
function sentence(title: string, { amount, parts }: Split): string {
  const words = title.split(/\s+/u);
  const noun = (words.at(-1) ?? '').toLowerCase();
  const about = parts.find(({ label }) => [noun, `${noun} id`, `${noun} number`].includes(label));
  const rest = parts.filter((part) => part !== about);
  if (about && words.length > 1) {
    const verb = words.slice(0, -1).filter((word, at) => at === 0 || !ARTICLE.test(word));
    const object = amount === null ? `${noun} ${about.value}` : `${amount} for ${noun} ${about.value}`;
    return [`${verb.join(' ')} ${object}`, ...(rest.length > 0 ? [joined(rest)] : [])].join(', ');
  }
  if (words.length === 1 && amount !== null)
    return parts.length > 0 ? `${title} ${amount} for ${joined(parts)}` : `${title} ${amount}`;
  const all = [...(amount === null ? [] : [amount]), ...(parts.length > 0 ? [joined(parts)] : [])].join(', ');
  if (all === '') return title;
  return words.length === 1 ? `${title} ${all}` : `${title}: ${all}`;
}

const textIn = (values: Values, name: string): string => {
  const value = values[name];
  return typeof value === 'string' ? value : '';
};

const counted = (count: number): string => (count === 1 ? '1 record' : `${count} records`);

const lengthOf = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);

/** The records of a dataset that an update or a delete is about. */
function recordsIn({ ids, all, filter }: Values): string {
  const count = lengthOf(ids);
  if (count !== null) return counted(count);
  if (all === true) return 'all records';
  return isObject(filter) ? 'the records that match the filter' : 'records';
}

function changeOfDataset(values: Values, dataset: string): string {
  switch (values['operation']) {
    case 'insert':
      return `Add ${counted(lengthOf(values['records']) ?? 1)} to ${dataset}`;
    case 'update':
      return `Change ${recordsIn(values)} of ${dataset}`;
    case 'delete':
      return `Delete ${recordsIn(values)} of ${dataset}`;
    default:
      return `Read records of ${dataset}`;
  }
}

const without = (values: Values, ...names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** The built-in tools have sentences of their own; null for all others. */
function builtIn(call: Call, values: Values, names: ReadonlyMap<string, string>): CallQuestion | null {
  const nameOf = (id: string, other: string): string => {
    const name = names.get(id);
    return name === undefined ? other : `“${clipped(name, SHORT)}”`;
  };
  const quoted = (name: string): string => `“${clipped(textIn(values, name).replaceAll(/\s+/gu, ' '), LONG)}”`;
  const of = (question: string, rest: Values): CallQuestion => ({
    question: `${question}?`,
    inputs: Object.entries(rest).map(([name, value]) => ({ label: capital(wordsIn(name)), value: shown(value) })),
  });
  const dataset = nameOf(textIn(values, 'datasetId'), 'a dataset');
  switch (call.name) {
    case 'write_dataset':
      return of(changeOfDataset(values, dataset), without(values, 'datasetId', 'operation'));
    case 'query_dataset':
      return of(`Read records of ${dataset}`, without(values, 'datasetId'));
    case 'search_datasets':
      return of(`Search ${dataset} for ${quoted('query')}`, without(values, 'datasetId', 'query'));
    case 'run_task': {
      const given = isObject(values['inputs']) ? values['inputs'] : {};
      const { amount, parts, inputs } = split(given, undefined);
      const all = [...(amount === null ? [] : [amount]), ...(parts.length > 0 ? [joined(parts)] : [])].join(', ');
      const task = nameOf(textIn(values, 'taskId'), 'a task');
      return { question: `Run ${task}${all === '' ? '' : ` with ${all}`}?`, inputs };
    }
    case 'emit_event': {
      const { inputs, parts, amount } = split(isObject(values['payload']) ? values['payload'] : {}, undefined);
      const all = [...(amount === null ? [] : [amount]), ...(parts.length > 0 ? [joined(parts)] : [])].join(', ');
      const event = `${textIn(values, 'event')} of ${textIn(values, 'appIdentifier')}`;
      return { question: `Emit the event ${clipped(event, LONG)}${all === '' ? '' : ` with ${all}`}?`, inputs };
    }
    case 'web_search':
      return of(`Search the web for ${quoted('query')}`, without(values, 'query'));
    case 'save_memory':
      return of(`Save a memory about the user: ${quoted('text')}`, without(values, 'text'));
    default:
      return null;
  }
}

/** The decision that a call asks for, as a sentence. */
export function decisionOf(call: Call, facts: ToolFacts): CallQuestion {
  const values = isObject(call.arguments) ? call.arguments : {};
  const own = call.source === 'builtin' ? builtIn(call, values, facts.names ?? new Map()) : null;
  if (own) return own;
  const parts = split(values, facts.schema);
  return { question: `${sentence(titleOf(call, facts), parts)}?`, inputs: parts.inputs };
}

export interface Effects {
  yes: string;
  no: string;
}

/** The consequence of each answer. */
export function effectsOf(calls: readonly Call[], agent: string): Effects {
  const [call] = calls;
  const no = `Nothing runs. ${agent} gets your reason and continues.`;
  if (calls.length !== 1 || !call)
    return {
      yes: `Each selected call runs once, with exactly these arguments. Then ${agent} continues.`,
      no: `A call that is not selected does not run. ${agent} gets your reason and continues.`,
    };
  if (call.source === 'local')
    return { yes: `The application that started this turn runs it once. Then ${agent} continues.`, no };
  if (call.source === 'mcp') {
    const server = call.name.includes('__') ? ` on the MCP server ${call.name.split('__')[0]}` : ' on its MCP server';
    return { yes: `It runs once${server}, with exactly these arguments. Then ${agent} continues.`, no };
  }
  if (call.name === 'run_task')
    return { yes: `The task starts at once with these inputs. Then ${agent} continues.`, no };
  return { yes: `It runs once, with exactly these arguments. Then ${agent} continues.`, no };
}
