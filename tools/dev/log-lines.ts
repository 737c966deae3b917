import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';

const EVERY_MS = 200;

/** Tells every line that is added to a log file from now on. Returns what ends it. */
export function followLog(file: string, report: (line: string) => void): () => void {
  let sent = sizeOf(file);
  let isReading = false;
  const read = async (): Promise<void> => {
    const size = sizeOf(file);
    // The file was put aside, and a new one has begun.
    if (size < sent) sent = 0;
    if (size === sent) return;
    const stream = createReadStream(file, { start: sent, end: size - 1 });
    sent = size;
    for await (const line of createInterface({ input: stream })) report(line);
  };
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    // A file that has just been put aside is read from its beginning next time.
    read()
      .catch(() => undefined)
      .finally(() => (isReading = false));
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

interface LogRecord {
  level: number;
  time: string;
  msg?: string;
  err?: { stack?: string; message?: string };
  [field: string]: unknown;
}

/** A log record as a person reads it: time, level, message, the other fields, the stack. */
export function readable(line: string): string {
  const record = recordOf(line);
  if (!record) return line;
  const { level, time, msg = '', err, service: _, ...others } = record;
  const fields = Object.entries(others).map(([name, value]) => `${name}=${textOf(value)}`);
  const first = [time.slice(11, 23), (LEVELS[level] ?? String(level)).padEnd(7), msg, ...fields].join(' ');
  return [first, ...(err ? [err.stack ?? err.message ?? ''] : [])].join('\n    ');
}

function recordOf(line: string): LogRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<LogRecord> | null;
    return typeof record?.level === 'number' && typeof record.time === 'string' ? (record as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
