import { parseArgs } from 'node:util';
import { StopSentence } from '../launcher/stop-sentence';

export interface RouteRequest {
  method: 'GET' | 'POST';
  path: string;
  query: Record<string, string>;
  body?: Record<string, unknown>;
}

export interface ParsedCommand {
  request: RouteRequest;
  /** The fields that a table shows; the answer as JSON where there are none. */
  columns: readonly string[];
  isJson: boolean;
}

interface RouteCommand {
  /** The words it begins with, and what stands behind them. */
  usage: string;
  method: 'GET' | 'POST';
  path: (args: readonly string[]) => string;
  /** Query fields of a GET, fields of the body of a POST. */
  options?: readonly string[];
  body?: (args: readonly string[], options: Record<string, string>) => Record<string, unknown>;
  columns?: readonly string[];
}

const PAGE = ['limit', 'cursor'] as const;

const commands: readonly RouteCommand[] = [
  {
    usage: 'spaces',
    method: 'GET',
    path: () => '/operator/spaces',
    options: ['q', 'status', 'sort', ...PAGE],
    columns: ['id', 'name', 'status', 'members', 'balance', 'bytesStored', 'createdAt'],
  },
  { usage: 'spaces show <space>', method: 'GET', path: ([space]) => `/operator/spaces/${space}` },
  {
    usage: 'spaces suspend <space>',
    method: 'POST',
    path: ([space]) => `/operator/spaces/${space}/suspend`,
    options: ['reason'],
  },
  { usage: 'spaces resume <space>', method: 'POST', path: ([space]) => `/operator/spaces/${space}/resume` },
  {
    usage: 'credits <space> <tokens>',
    method: 'POST',
    path: ([space]) => `/operator/spaces/${space}/credits`,
    options: ['note', 'idempotencyKey'],
    body: ([, tokens], options) => ({ tokens: wholeNumber(tokens ?? ''), ...options }),
  },
  {
    usage: 'users',
    method: 'GET',
    path: () => '/operator/users',
    options: ['q', ...PAGE],
    columns: ['id', 'email', 'name', 'operator', 'status', 'lastSignInAt'],
  },
  { usage: 'users show <user>', method: 'GET', path: ([user]) => `/operator/users/${user}` },
  { usage: 'users disable <user>', method: 'POST', path: ([user]) => `/operator/users/${user}/disable` },
  { usage: 'users enable <user>', method: 'POST', path: ([user]) => `/operator/users/${user}/enable` },
  {
    usage: 'top',
    method: 'GET',
    path: () => '/operator/top',
    options: ['by', 'minutes'],
    columns: ['spaceId', 'name', 'value'],
  },
  {
    usage: 'dead-letters',
    method: 'GET',
    path: () => '/operator/dead-letters',
    options: [...PAGE],
    columns: ['id', 'spaceId', 'event', 'bytes', 'reason', 'at'],
  },
  {
    usage: 'dead-letters requeue <id>',
    method: 'POST',
    path: ([id]) => `/operator/dead-letters/${id}/requeue`,
  },
  {
    usage: 'dead-letters discard <id>',
    method: 'POST',
    path: ([id]) => `/operator/dead-letters/${id}/discard`,
    options: ['reason'],
  },
  {
    usage: 'poisoned',
    method: 'GET',
    path: () => '/operator/poisoned',
    options: ['kind', ...PAGE],
    columns: ['kind', 'id', 'spaceId', 'losses', 'at'],
  },
  { usage: 'poisoned retry <id>', method: 'POST', path: ([id]) => `/operator/poisoned/${id}/retry` },
  {
    usage: 'events',
    method: 'GET',
    path: () => '/operator/events',
    options: ['spaceId', 'action', 'actor', 'from', 'to', ...PAGE],
    columns: ['at', 'action', 'spaceId', 'actor', 'target'],
  },
  {
    usage: 'keys',
    method: 'GET',
    path: () => '/operator/keys',
    options: ['status', ...PAGE],
    columns: ['id', 'name', 'scopes', 'status', 'expiresAt', 'lastUsedAt'],
  },
  { usage: 'keys revoke <key>', method: 'POST', path: ([key]) => `/operator/keys/${key}/revoke` },
];

/** The commands over the routes under `/operator`, each with its options. */
export const routeUsages: readonly string[] = commands.map(({ usage, options = [] }) =>
  [usage, ...options.map((name) => `[--${name} ...]`)].join(' '),
);

const wordsOf = (usage: string): string[] => usage.split(' ').filter((word) => !word.startsWith('<'));
const argsOf = (usage: string): string[] => usage.split(' ').filter((word) => word.startsWith('<'));

export const isRouteCommand = (name: string | undefined): boolean =>
  commands.some(({ usage }) => wordsOf(usage)[0] === name);

/** Finds the command of a line and makes its request. `list` may stand behind the name of a list. */
export function parseRouteCommand(line: readonly string[], others: readonly string[] = []): ParsedCommand {
  const words = line[1] === 'list' ? [line[0] ?? '', ...line.slice(2)] : line;
  const command = longestMatch(words);
  if (command === undefined) throw unknownCommand(line.filter((word) => !word.startsWith('-')).join(' '), others);
  const { values, positionals } = optionsOf(command, words.slice(wordsOf(command.usage).length));
  const expected = argsOf(command.usage);
  if (positionals.length !== expected.length)
    throw new StopSentence(`Usage: npm run operator -- ${routeUsages[commands.indexOf(command)]}`);
  const { json, ...rest } = values;
  const given = rest as Record<string, string>;
  const { method } = command;
  const path = command.path(positionals.map(encodeURIComponent));
  const request: RouteRequest =
    method === 'GET'
      ? { method, path, query: given }
      : { method, path, query: {}, body: command.body?.(positionals, given) ?? given };
  return { request, columns: command.columns ?? [], isJson: json === true };
}

function longestMatch(words: readonly string[]): RouteCommand | undefined {
  const matching = commands.filter(({ usage }) => wordsOf(usage).every((word, index) => words[index] === word));
  return matching.sort((left, right) => wordsOf(right.usage).length - wordsOf(left.usage).length)[0];
}

function optionsOf(command: RouteCommand, args: string[]) {
  const options = Object.fromEntries((command.options ?? []).map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({
      // A negative number is a value, not an option.
      args: args.map((arg) => (/^-\d/.test(arg) ? `\u0000${arg}` : arg)),
      options: { ...options, json: { type: 'boolean' as const } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new StopSentence(error instanceof Error ? error.message : String(error));
  }
}

const unknownCommand = (name: string, others: readonly string[]): StopSentence =>
  new StopSentence(
    [`${name === '' ? 'A command is missing' : `No command ${name}`}. There are:`, ...others, ...routeUsages].join(
      '\n  ',
    ),
  );

function wholeNumber(text: string): number {
  const number = Number(text.replace('\u0000', '').replaceAll('_', ''));
  if (!Number.isSafeInteger(number)) throw new StopSentence(`${text} is not a whole number of tokens.`);
  return number;
}
