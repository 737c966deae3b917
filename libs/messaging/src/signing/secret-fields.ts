import {
  type CallContract,
  type SecretValues,
  type StreamContract,
  ownerOf,
  putSecrets,
  secretFieldsOf,
  withoutSecrets,
} from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import type { Envelope } from './envelope';
import type { RequestBody } from './request-body';
import type { Sealer } from './seal';

type Asked = CallContract | StreamContract;

const hasSecretReply = (contract: Asked): boolean =>
  contract.kind === 'call' && secretFieldsOf(contract.reply).length > 0;

export function bodyOfRequest(sealer: Sealer, contract: Asked, data: object): RequestBody {
  const fields = sealer.secrets.mustStayPlain ? [] : secretFieldsOf(contract.request);
  const opens = hasSecretReply(contract) || undefined;
  if (fields.length === 0 && !opens) return { data };
  const id = newId();
  const secrets: SecretValues = {};
  const shown = fields.length > 0 ? withoutSecrets(fields, data, secrets) : data;
  if (Object.keys(secrets).length === 0) return { data, id, opens };
  const place = { subject: contract.subject, requestId: id, direction: 'request' } as const;
  const secret = sealer.secrets.seal(ownerOf(contract), place, secrets);
  return secret === undefined ? { data, id, opens } : { data: shown, id, secret, opens };
}

/** Restores the secret fields of a request. The previous version sends them unencrypted. */
export function openRequest(sealer: Sealer, contract: Asked, envelope: Envelope, sender: string): void {
  if (envelope.secret === undefined) return;
  const place = { subject: contract.subject, requestId: envelope.id, direction: 'request' } as const;
  putSecrets(envelope.data, sealer.secrets.open(sender, place, envelope.secret) as SecretValues);
}

export function bodyOfReply(
  sealer: Sealer,
  contract: CallContract,
  asked: { envelope: Envelope; sender: string },
  data: unknown,
): { data: unknown; secret?: string } {
  const fields = asked.envelope.opens === true ? secretFieldsOf(contract.reply) : [];
  if (fields.length === 0 || typeof data !== 'object' || data === null) return { data };
  const secrets: SecretValues = {};
  const shown = withoutSecrets(fields, data, secrets);
  if (Object.keys(secrets).length === 0) return { data };
  const place = { subject: contract.subject, requestId: asked.envelope.id, direction: 'reply' } as const;
  const secret = sealer.secrets.seal(asked.sender, place, secrets);
  return secret === undefined ? { data } : { data: shown, secret };
}

export function openReply(
  sealer: Sealer,
  contract: CallContract,
  requestId: string | undefined,
  reply: { data: unknown; secret?: string },
): void {
  if (reply.secret === undefined || requestId === undefined) return;
  const place = { subject: contract.subject, requestId, direction: 'reply' } as const;
  putSecrets(reply.data, sealer.secrets.open(ownerOf(contract), place, reply.secret) as SecretValues);
}
