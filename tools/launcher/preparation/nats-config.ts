// Run as a process of its own, so that the launcher itself stays small: parameters on stdin, configuration on stdout.
import { readFileSync } from 'node:fs';
import { natsServerConfig } from '@switchyard/messaging';

const options = JSON.parse(readFileSync(0, 'utf8')) as Parameters<typeof natsServerConfig>[0];
process.stdout.write(natsServerConfig(options));
