import { StopSentence } from '../launcher/stop-sentence';
import type { ParsedCommand } from './route-commands';

const TIMEOUT_MS = 30_000;
const DEFAULT_URL = 'http://127.0.0.1:3000';

interface ResponseBody {
  success?: boolean;
  message?: string;
  data?: unknown;
  page?: { nextCursor?: string | null };
}

/** Carries out a command over the routes under `/operator`, and gives the text to print. */
export async function callRoute({ request, columns, isJson }: ParsedCommand, env: NodeJS.ProcessEnv): Promise<string> {
  const key = operatorKey(env);
  const url = new URL(`/api${request.path}`, env['SWITCHYARD_URL'] || DEFAULT_URL);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.set(name, value);
  const answer = await fetch(url, {
    method: request.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new StopSentence(`${url.origin} does not answer: ${reasonOf(error)}`);
  });
  const text = await answer.text();
  const body = parse(text);
  if (!answer.ok) throw new StopSentence(`${answer.status} ${body.message ?? text.slice(0, 500)}`);
  if (isJson) return JSON.stringify(body.data ?? null, null, 2);
  const shown = Array.isArray(body.data) && columns.length > 0 ? table(body.data as object[], columns) : details(body);
  const next = body.page?.nextCursor;
  return next ? `${shown}\nMore: --cursor ${next}` : shown;
}

export function operatorKey(env: NodeJS.ProcessEnv): string {
  const key = env['SWITCHYARD_KEY'];
  if (!key) throw new StopSentence('SWITCHYARD_KEY is not set: it must be a key of the type OPERATOR.');
  return key;
}

function parse(text: string): ResponseBody {
  try {
    return JSON.parse(text) as ResponseBody;
  } catch {
    return {};
  }
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};

const details = ({ message, data }: ResponseBody): string =>
  [message, ...(data === undefined || data === null ? [] : [JSON.stringify(data, null, 2)])].join('\n');

/** Columns as wide as their longest value. */
export function table(rows: readonly object[], columns: readonly string[]): string {
  if (rows.length === 0) return 'None.';
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((value, index) => value.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
