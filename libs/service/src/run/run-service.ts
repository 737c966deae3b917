import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Type } from '@nestjs/common';
import { ServiceName } from '@switchyard/contracts';
import { Migration, migrate } from '@switchyard/database';
import { nearMisses } from '@switchyard/kernel';
import { ConfigError } from '../config/env';

import type { Logger } from '../logger';
import { awaitMigrations } from './await-migrations';
import { startBusService } from './bus-service';
import { runDeadLetters } from './dead-letters';

export interface RunOptions {
  migrations?: readonly Migration[];
}

/** Says why a service did not start, and ends the process. */
export function failStart(service: string, error: unknown): never {
  const text =
    error instanceof ConfigError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`${service} did not start: ${text}\n`);
  process.exit(1);
}

/**
 * Waits for the end of the process: a signal (graceful), or an uncaught error (exits at once, for the supervisor to
 * restart it).
 */
export function untilStopped(service: string, logger: Logger, down: () => Promise<void>): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    down()
      .then(() => process.exit(0))
      .catch((error: unknown) => failStart(service, error));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, 'an unhandled rejection');
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    logger.error({ err: error }, 'an uncaught exception');
    process.exit(1);
  });
}

/** Settings of all services, which a build writes down. */
const SETTINGS = path.join(__dirname, '../../../../checks/variables.json');

/** A misspelled setting is not ignored: a service that is given one does not start. */
function refuseNearMisses(): void {
  if (!existsSync(SETTINGS)) return;
  const byService = JSON.parse(readFileSync(SETTINGS, 'utf8')) as Record<string, string[]>;
  const problems = nearMisses(process.env, new Set(Object.values(byService).flat()));
  if (problems.length > 0) throw new ConfigError(problems);
}

async function start(name: ServiceName, module: Type): Promise<void> {
  refuseNearMisses();
  const { logger, stop } = await startBusService(module);
  untilStopped(name, logger, stop);
}

/**
 * The whole life of a service: `main.ts` is this one call. `migrate`, `await-migrations` and `dead-letters` are
 * commands of every service.
 */
export async function runService(name: ServiceName, module: Type, options: RunOptions = {}): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  try {
    if (command === 'migrate') {
      const done = await migrate(process.env['DATABASE_ADMIN_URL'] ?? '', {
        service: name,
        migrations: options.migrations ?? [],
      });
      process.stdout.write(`${name}: ${done.length} migrations ran\n`);
    } else if (command === 'await-migrations') await awaitMigrations(name, options.migrations ?? []);
    else if (command === 'dead-letters') await runDeadLetters(module, rest);
    else if (command === undefined) await start(name, module);
    else throw new Error(`${command} is not a command; there are migrate, await-migrations and dead-letters`);
  } catch (error) {
    failStart(name, error);
  }
}
