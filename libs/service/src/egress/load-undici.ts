import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const load = createRequire(__filename);

/** Loaded where an `Egress` is made: the services that call no addresses of users save its three megabytes. */
export const loadUndici = (): typeof Undici => load('undici') as typeof Undici;
