const warning = 40;

/** Lines of a service's log to show in the terminal: warnings, errors, and anything that is not a log record. */
export function readableLine(service: string, line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() === '' ? undefined : `[${service}] ${line}`;
  try {
    const record = JSON.parse(line) as { level?: number | string; msg?: string; err?: { message?: string } };
    const level = typeof record.level === 'number' ? record.level : levels[String(record.level)];
    if (level === undefined || level < warning) return undefined;
    const cause = record.err?.message ? `: ${record.err.message}` : '';
    return `[${service}] ${level >= 50 ? 'error' : 'warning'}: ${record.msg ?? ''}${cause}`;
  } catch {
    return `[${service}] ${line}`;
  }
}

const levels: Record<string, number | undefined> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
