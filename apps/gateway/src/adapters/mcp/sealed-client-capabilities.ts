import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { Identity } from '@switchyard/contracts';
import { isPlainObject } from '@switchyard/kernel';

/** Client data from `initialize`, which every replica needs later. */
export interface ClientMemory {
  protocolVersion: string;
  capabilities: ClientCapabilities;
}

const LIMIT = 2000;

/**
 * The session id of a client: not a key to something that we keep, but what it told us, sealed for its credential.
 * Null where there is nothing to remember, or too much.
 */
export function rememberClient(secret: Uint8Array, identity: Identity, initialize: unknown): string | null {
  const { protocolVersion, capabilities } = (initialize ?? {}) as Partial<ClientMemory>;
  if (typeof protocolVersion !== 'string' || !isPlainObject(capabilities)) return null;
  const { elicitation, sampling, roots } = capabilities;
  if (!elicitation && !sampling && !roots) return null;
  const memory: ClientMemory = { protocolVersion, capabilities: { elicitation, sampling, roots } };
  const text = Buffer.from(JSON.stringify(memory)).toString('base64url');
  return text.length > LIMIT ? null : `${text}.${sealOf(secret, identity, text).toString('base64url')}`;
}

/** Null for an id that is unknown, or belongs to another client. */
export function recallClient(secret: Uint8Array, identity: Identity, sessionId: string): ClientMemory | null {
  const [text = '', seal = ''] = sessionId.split('.', 2);
  const given = Buffer.from(seal, 'base64url');
  const right = sealOf(secret, identity, text);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ClientMemory;
}

const sealOf = (secret: Uint8Array, { spaceId, userId, credentialId, applicationId }: Identity, text: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([spaceId, userId, credentialId, applicationId, text]))
    .digest();
