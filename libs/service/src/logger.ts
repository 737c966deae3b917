import { LoggerService } from '@nestjs/common';
import { aroundSpan, isTracing, traceIdOf } from '@switchyard/kernel';
import pino, { Logger as PinoLogger } from 'pino';

const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'key',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'headers.authorization',
];

/** Masks texts that look like credentials: keys, tokens, seeds of NATS users, secrets of webhooks and endpoints. */
export const scrub = (text: string): string =>
  text
    .replace(/\bS[A-Z][A-Z2-7]{56}\b/g, '[seed]')
    .replace(/\bwhsec_[\w+/=-]{8,}/g, '[secret]')
    .replace(/\b[A-Za-z0-9]{40}\b/g, '[key]')
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[jwt]')
    .replace(/\bsk-[\w-]{8,}/g, '[key]')
    .replace(/data:[\w/+.-]+;base64,[A-Za-z0-9+/=]+/g, '[data uri]')
    .replace(/(\w+:\/\/)[^\s/@:]+:[^\s/@]+@/g, '$1[credentials]@');

/** Logs JSON lines. Anything that looks like a credential is masked, in any field. */
export class Logger {
  private readonly pino: PinoLogger;

  constructor(service: string, level: string) {
    this.pino = pino({
      level,
      base: { service },
      mixin: () => (isTracing() ? { traceId: traceIdOf(aroundSpan()?.traceparent) } : {}),
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS, censor: '[redacted]' },
      serializers: { err: (error: unknown) => plainError(error), cause: (error: unknown) => plainError(error) },
    });
  }

  debug(fields: object, text: string): void {
    this.pino.debug(fields, text);
  }
  info(fields: object, text: string): void {
    this.pino.info(fields, text);
  }
  warn(fields: object, text: string): void {
    this.pino.warn(fields, text);
  }
  /** For problems that need an operator. */
  error(fields: object, text: string): void {
    this.pino.error(fields, text);
  }
}

function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? scrub(error) : error;
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    code,
    message: scrub(message),
    stack: stack ? scrub(stack) : undefined,
    cause: error.cause ? plainError(error.cause) : undefined,
  };
}

/** Nest's own lines, in the same form; its chatter at start is not worth one. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(): void {
    // "Mapped route", "dependencies initialized" and the like.
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ detail: rest.map(String).join(' ').slice(0, 2000) }, String(message));
  }
  warn(message: unknown): void {
    this.logger.warn({}, String(message));
  }
}
