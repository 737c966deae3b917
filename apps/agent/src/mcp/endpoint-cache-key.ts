import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '@switchyard/kernel';

const KEY = randomBytes(32);

/** Names an endpoint in this process alone: its headers are secrets, and a plain digest of them could be guessed at. */
export const endpointKey = (endpoint: object): string =>
  createHmac('sha256', KEY).update(canonicalJson(endpoint)).digest('base64url');
