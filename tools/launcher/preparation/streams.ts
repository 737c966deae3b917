// Run as a process of its own, so that the launcher itself stays small: makes the streams with the migration's login.
import { readFileSync } from 'node:fs';
// Straight from its file: the library's door would load every contract of the platform.
import { type PrepareStreams, prepareStreams } from '../../../libs/messaging/src/events/create-jetstream-streams';

const silent = (): void => undefined;
const log = { info: silent, warn: silent, error: silent, debug: silent };

prepareStreams({ ...(JSON.parse(readFileSync(0, 'utf8')) as Omit<PrepareStreams, 'log'>), log }).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
