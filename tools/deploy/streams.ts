import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { prepareStreams } from '@switchyard/messaging';
import { readConfig } from '@switchyard/service';
import { StreamsConfig } from './streams-config';

/** A NATS cluster copies all that a stream holds before it counts as changed. */
const WITHIN_MS = 600_000;

const print = (fields: object, text: string): void => console.log(text, JSON.stringify(fields));
const log = { info: print, warn: print, error: print, debug: () => undefined };

/** Makes the streams that are missing and changes the others to what is set. Safe to repeat, beside running services. */
export async function makeStreams(environment: NodeJS.ProcessEnv, withinMs = WITHIN_MS): Promise<string[]> {
  const config = readConfig(StreamsConfig, environment);
  const done = await prepareStreams({
    natsUrl: config.NATS_URL,
    nkeySeed: config.NATS_MIGRATION_SEED,
    sizes: {
      replicas: config.NATS_STREAM_REPLICAS,
      eventsMaxBytes: config.NATS_EVENTS_MAX_BYTES,
      framesMaxBytes: config.NATS_FRAMES_MAX_BYTES,
    },
    log,
    withinMs,
  });
  return done.map(({ stream, before, now }) => `${stream}: ${before === now ? `has ${now}` : `${before} -> ${now}`}`);
}

/** Variables that `setup` wrote for this container. The container's own environment wins. */
function withFile(file: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!existsSync(file)) return environment;
  const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  return { ...stored, ...Object.fromEntries(given) };
}

/**
 *   node dist/tools/deploy/streams.js     with NATS_URL and NATS_MIGRATION_SEED, or with the file that `setup` wrote
 */
if (require.main === module) {
  makeStreams(withFile('/run/switchyard/streams.json', process.env)).then(
    (lines) => {
      for (const line of lines) console.log(line);
    },
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  );
}
