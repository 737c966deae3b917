import {
  type CallContract,
  type SecretValues,
  type StreamContract,
  ownerOf,
  putSecrets,
  secretFieldsOf,
  withoutSecrets,
} from '@switchyard/contracts';
import { AppError, newId } from '@switchyard/kernel';
import type { Envelope } from './envelope';
import type { RequestBody } from './request-body';
import type { MessageSigner } from './message-signer';

type Requested = CallContract | StreamContract;

const hasSecretReply = (contract: Requested): boolean =>
  contract.kind === 'call' && secretFieldsOf(contract.reply).length > 0;

/** Refused without a key of the receiver: a secret is never sent in plain. */
export function bodyOfRequest(encrypter: MessageSigner, contract: Requested, data: object): RequestBody {
  const fields = secretFieldsOf(contract.request);
  const opens = hasSecretReply(contract) || undefined;
  if (fields.length === 0 && !opens) return { data };
  const id = newId();
  const secrets: SecretValues = {};
  const shown = fields.length > 0 ? withoutSecrets(fields, data, secrets) : data;
  if (Object.keys(secrets).length === 0) return { data, id, opens };
  const context = { subject: contract.subject, requestId: id, direction: 'request' } as const;
  const receiver = ownerOf(contract);
  const secret = encrypter.secrets.seal(receiver, context, secrets);
  if (secret === undefined)
    throw new AppError('SERVICE_UNAVAILABLE', `No public key of the service ${receiver} is configured.`);
  return { data: shown, id, secret, opens };
}

/** Restores the secret fields of a request, and the plain digest of its body. */
export function openRequest(encrypter: MessageSigner, contract: Requested, envelope: Envelope, sender: string): void {
  if (envelope.secret === undefined) return;
  const context = { subject: contract.subject, requestId: envelope.id, direction: 'request' } as const;
  putSecrets(envelope.data, encrypter.secrets.open(sender, context, envelope.secret) as SecretValues);
  const { idempotency } = envelope.ctx;
  if (idempotency === undefined) return;
  const { sealedFingerprint: sealed, ...carried } = idempotency;
  const fingerprint =
    sealed === undefined
      ? carried.fingerprint
      : (encrypter.secrets.open(sender, { ...context, direction: 'fingerprint' }, sealed) as string);
  envelope.ctx.idempotency = { ...carried, fingerprint, isSecret: true };
}

export function bodyOfReply(
  encrypter: MessageSigner,
  contract: CallContract,
  request: { envelope: Envelope; sender: string },
  data: unknown,
): { data: unknown; secret?: string } {
  const fields = request.envelope.opens === true ? secretFieldsOf(contract.reply) : [];
  if (fields.length === 0 || typeof data !== 'object' || data === null) return { data };
  const secrets: SecretValues = {};
  const shown = withoutSecrets(fields, data, secrets);
  if (Object.keys(secrets).length === 0) return { data };
  const context = { subject: contract.subject, requestId: request.envelope.id, direction: 'reply' } as const;
  const secret = encrypter.secrets.seal(request.sender, context, secrets);
  return secret === undefined ? { data } : { data: shown, secret };
}

export function openReply(
  encrypter: MessageSigner,
  contract: CallContract,
  requestId: string | undefined,
  reply: { data: unknown; secret?: string },
): void {
  if (reply.secret === undefined || requestId === undefined) return;
  const context = { subject: contract.subject, requestId, direction: 'reply' } as const;
  putSecrets(reply.data, encrypter.secrets.open(ownerOf(contract), context, reply.secret) as SecretValues);
}
