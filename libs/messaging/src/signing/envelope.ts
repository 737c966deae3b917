import { AppError, LARGE_CONTENT_BYTES, yieldToEventLoop } from '@switchyard/kernel';
import {
  type CallContract,
  type CarriedCtx,
  type Ctx,
  type Idempotency,
  type StreamContract,
  makeCtx,
  ownerOf,
} from '@switchyard/contracts';
import { envelopeText } from './envelope-text';
import { invalidSignature } from './invalid-signature';
import type { MessageSigner } from './message-signer';
import type { RequestBody } from './request-body';

export interface EnvelopeCtx extends CarriedCtx {
  idempotency?: Idempotency;
}

/** The format of all messages between services. */
export interface Envelope {
  id: string;
  name: string;
  /** `CONTRACTS_VERSION` of the sender. */
  version: number;
  source: string;
  at: string;
  deadline: number;
  ctx: EnvelopeCtx;
  data: unknown;
  /** Encrypted secret fields: see `secret-fields.ts`. */
  secret?: string;
  opens?: boolean;
}

/** A received envelope, with the bytes that its signature covers. */
export interface SealedEnvelope {
  envelope: Envelope;
  /** Everything before the signature. */
  bytes: Uint8Array;
  seal: string | null;
}

/** Receivers of an envelope. */
export interface Address {
  /** A call's subject, an event's or a signal's name. */
  subject: string;
  receivers: readonly string[];
  lifeMs?: number;
}

const addresses = new WeakMap<CallContract | StreamContract, Address>();

/** Calls and streams go to the owning service. */
export function addressOf(contract: CallContract | StreamContract): Address {
  let address = addresses.get(contract);
  if (!address) {
    address = { subject: contract.subject, receivers: [ownerOf(contract)] };
    addresses.set(contract, address);
  }
  return address;
}

/** The signature is last in the text, and covers all bytes before it. */
const SEAL_BEGINS = ',"seal":"';
const SEAL_ENDS = '"}';
/** Upper bound of the signature's size, and for each receiver. */
const SEAL_BYTES = 128;
const NOTHING = Buffer.alloc(0);

interface ToPack extends RequestBody {
  sealer: MessageSigner;
  source: string;
  address: Address;
  ctx: Ctx;
  deadline: number;
}

/**
 * For a request with secrets, or one that such a request leads to. The receiver of the secrets gets the plain one too.
 */
function carriedIdempotency({ sealer, address, id, secret }: ToPack, of: Idempotency): Idempotency {
  const { key, route, fingerprint: plain } = of;
  const keyed = { key, route, fingerprint: sealer.keyedFingerprint(plain) };
  const [receiver] = address.receivers;
  if (secret === undefined || id === undefined || receiver === undefined) return keyed;
  const context = { subject: address.subject, requestId: id, direction: 'fingerprint' } as const;
  const sealed = sealer.secrets.seal(receiver, context, plain);
  return sealed === undefined ? keyed : { ...keyed, sealedFingerprint: sealed };
}

function textOf(toPack: ToPack): string {
  const { source, address, deadline, data, id, secret, opens } = toPack;
  const { subject } = address;
  const { idempotency } = toPack.ctx;
  const isSecret = idempotency !== undefined && (secret !== undefined || idempotency.isSecret === true);
  const ctx = isSecret ? { ...toPack.ctx, idempotency: carriedIdempotency(toPack, idempotency) } : toPack.ctx;
  return envelopeText({ name: subject, source, ctx, deadline, data, id, secret, opens });
}

export const packEnvelope = (toPack: ToPack): Buffer => sealText(toPack.sealer, toPack.address, textOf(toPack));

/** As `packEnvelope`; yields to the event loop if the text is long. */
export function packLargeEnvelope(toPack: ToPack): Buffer | Promise<Buffer> {
  const text = textOf(toPack);
  return text.length < LARGE_CONTENT_BYTES
    ? sealText(toPack.sealer, toPack.address, text)
    : sealLargeText(toPack.sealer, toPack.address, text);
}

async function sealLargeText(encrypter: MessageSigner, address: Address, text: string): Promise<Buffer> {
  await yieldToEventLoop();
  const envelope = sealText(encrypter, address, text);
  await yieldToEventLoop();
  return envelope;
}

export const sealEnvelope = (encrypter: MessageSigner, address: Address, envelope: Envelope): Buffer =>
  sealText(encrypter, address, JSON.stringify(envelope));

function sealText(encrypter: MessageSigner, { subject, receivers, lifeMs }: Address, text: string): Buffer {
  // Serialized once, without the closing brace that follows the signature.
  const length = Buffer.byteLength(text) - 1;
  const message = Buffer.allocUnsafe(length + SEAL_BYTES * (receivers.length + 1));
  message.write(text, 0, length);
  const tail = `${SEAL_BEGINS}${encrypter.seal(subject, message.subarray(0, length), receivers, lifeMs)}${SEAL_ENDS}`;
  return message.subarray(0, length + message.write(tail, length, 'latin1'));
}

/** The service that signed the envelope for this subject. Throws FORBIDDEN if none did. */
export function senderOf(encrypter: MessageSigner, subject: string, { bytes, seal }: SealedEnvelope): string {
  if (seal === null) throw invalidSignature();
  return encrypter.check(seal, subject, bytes);
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const noEnvelope = (cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', 'The message is not an envelope.', { cause });

/** Parses an envelope; `senderOf` verifies it. */
export function parseEnvelope(payload: Uint8Array): SealedEnvelope {
  const buffer = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  let value: unknown;
  try {
    value = JSON.parse(buffer.toString());
  } catch (cause) {
    throw noEnvelope(cause);
  }
  const envelope = value as (Partial<Envelope> & { seal?: unknown }) | null;
  const ctx = envelope?.ctx as Partial<EnvelopeCtx> | undefined;
  if (!envelope || text(envelope.id) === null || text(envelope.name) === null || !ctx || !Array.isArray(ctx.scopes))
    throw noEnvelope();
  const seal = text(envelope.seal);
  return { envelope: envelope as Envelope, bytes: seal === null ? NOTHING : sealedBytes(buffer, seal), seal };
}

/** The bytes before the signature, or nothing if it is not last: with repeated fields the last one would win. */
function sealedBytes(message: Buffer, seal: string): Uint8Array {
  // Signatures are ASCII, so others are not found.
  const end = `${SEAL_BEGINS}${seal}${SEAL_ENDS}`;
  const begin = message.byteLength - end.length;
  return begin > 0 && message.toString('latin1', begin) === end ? message.subarray(0, begin) : NOTHING;
}

/** Field by field: spreading a parsed object takes longer than parsing it. */
export function ctxOf({ id, deadline, ctx }: Envelope, signal?: AbortSignal): Ctx {
  return makeCtx(ctx, {
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    lineage: ctx.lineage,
    causationId: ctx.causationId,
    correlationId: ctx.correlationId,
    depth: ctx.depth,
    idempotency: ctx.idempotency,
    messageId: id,
    deadline,
    signal,
  });
}
