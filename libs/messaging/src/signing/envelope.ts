import { AppError, LARGE_CONTENT_BYTES, yieldToEventLoop } from '@switchyard/kernel';
import {
  type CallContract,
  type Ctx,
  type Idempotency,
  type Identity,
  type Lineage,
  type StreamContract,
  makeCtx,
  ownerOf,
} from '@switchyard/contracts';
import { envelopeText } from './envelope-text';
import { notSealed } from './not-sealed';
import type { Sealer } from './seal';
import type { RequestBody } from './request-body';
import type { UnboundSeal } from './unbound-seal';

export interface EnvelopeCtx extends Identity {
  requestId: string;
  traceparent?: string;
  lineage?: Lineage;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
  idempotency?: Idempotency;
  /** Of the version before; see `Sealer.sealIdentity`. */
  seal?: UnboundSeal;
}

/** The one form in which anything travels between services. */
export interface Envelope {
  id: string;
  name: string;
  version: 1;
  source: string;
  at: string;
  deadline: number;
  ctx: EnvelopeCtx;
  data: unknown;
  /** The secret fields of the data, encrypted: see `secret-fields.ts`. */
  secret?: string;
  opens?: boolean;
}

/** An envelope as it came, with what its seal is checked against. */
export interface SealedEnvelope {
  envelope: Envelope;
  /** Everything in front of the seal. */
  bytes: Uint8Array;
  seal: string | null;
}

/** Who an envelope is for. */
export interface Address {
  /** What it is called: a call's subject, an event's or a signal's name. */
  subject: string;
  receivers: readonly string[];
  /** What the version before called its receivers together. */
  audience: string;
  lifeMs?: number;
}

const addresses = new WeakMap<CallContract | StreamContract, Address>();

/** A call or a stream goes to the service that owns it. */
export function addressOf(contract: CallContract | StreamContract): Address {
  let address = addresses.get(contract);
  if (!address) {
    const owner = ownerOf(contract);
    address = { subject: contract.subject, receivers: [owner], audience: owner };
    addresses.set(contract, address);
  }
  return address;
}

/** The seal stands last in the text, and covers every byte before it. */
const SEAL_BEGINS = ',"seal":"';
const SEAL_ENDS = '"}';
/** More than the seal takes for itself, and for each of its receivers. */
const SEAL_BYTES = 128;
const NOTHING = Buffer.alloc(0);

interface ToPack extends RequestBody {
  sealer: Sealer;
  source: string;
  address: Address;
  ctx: Ctx;
  deadline: number;
}

function textOf({ source, address: { subject, audience, lifeMs }, ctx, deadline, sealer, ...body }: ToPack): string {
  const { data, id, secret, opens } = body;
  const seal = sealer.sealIdentity(ctx, audience, lifeMs);
  return envelopeText({ name: subject, source, ctx, deadline, data, seal, id, secret, opens });
}

export const packEnvelope = (toPack: ToPack): Buffer => sealText(toPack.sealer, toPack.address, textOf(toPack));

/** The same for what may be large, here by its characters: then others run in between, and before it is sent. */
export function packLargeEnvelope(toPack: ToPack): Buffer | Promise<Buffer> {
  const text = textOf(toPack);
  return text.length < LARGE_CONTENT_BYTES
    ? sealText(toPack.sealer, toPack.address, text)
    : sealLargeText(toPack.sealer, toPack.address, text);
}

async function sealLargeText(sealer: Sealer, address: Address, text: string): Promise<Buffer> {
  await yieldToEventLoop();
  const envelope = sealText(sealer, address, text);
  await yieldToEventLoop();
  return envelope;
}

export function sealEnvelope(sealer: Sealer, address: Address, envelope: Envelope): Buffer {
  const { audience, lifeMs } = address;
  const seal = sealer.sealIdentity(envelope.ctx, audience, lifeMs);
  const whole = seal ? { ...envelope, ctx: { ...envelope.ctx, seal } } : envelope;
  return sealText(sealer, address, JSON.stringify(whole));
}

function sealText(sealer: Sealer, { subject, receivers, lifeMs }: Address, text: string): Buffer {
  // Written once, without its closing brace, which comes behind the seal.
  const length = Buffer.byteLength(text) - 1;
  const message = Buffer.allocUnsafe(length + SEAL_BYTES * (receivers.length + 1));
  message.write(text, 0, length);
  const tail = `${SEAL_BEGINS}${sealer.seal(subject, message.subarray(0, length), receivers, lifeMs)}${SEAL_ENDS}`;
  return message.subarray(0, length + message.write(tail, length, 'latin1'));
}

/** The service that vouches for the envelope under this subject. Throws FORBIDDEN where none does. */
export function senderOf(
  sealer: Sealer,
  { subject, audience }: Pick<Address, 'subject' | 'audience'>,
  { envelope, bytes, seal }: SealedEnvelope,
): string {
  // A seal of the version before does not cover it.
  if (seal === null && envelope.ctx.operator !== undefined) throw notSealed();
  return seal === null
    ? sealer.checkIdentity(envelope.ctx, envelope.ctx.seal, audience)
    : sealer.check(seal, subject, bytes);
}

export const plainCtx = (ctx: Ctx): EnvelopeCtx => ({
  requestId: ctx.requestId,
  traceparent: ctx.traceparent,
  lineage: ctx.lineage,
  spaceId: ctx.spaceId,
  userId: ctx.userId,
  role: ctx.role,
  scopes: ctx.scopes,
  credentialId: ctx.credentialId,
  credentialType: ctx.credentialType,
  applicationId: ctx.applicationId,
  isReplaced: ctx.isReplaced,
  operator: ctx.operator,
  signedInAt: ctx.signedInAt,
  causationId: ctx.causationId,
  correlationId: ctx.correlationId,
  depth: ctx.depth,
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const noEnvelope = (cause?: unknown): AppError =>
  new AppError('VALIDATION_ERROR', 'The message is not an envelope.', { cause });

/** Reads an envelope; whether it may be believed is `senderOf`'s to say. */
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

/** What stands in front of the seal; nothing where the seal is not the end: of repeated fields the last one would count. */
function sealedBytes(message: Buffer, seal: string): Uint8Array {
  // A seal is ASCII: one that is not is never found.
  const end = `${SEAL_BEGINS}${seal}${SEAL_ENDS}`;
  const begin = message.byteLength - end.length;
  return begin > 0 && message.toString('latin1', begin) === end ? message.subarray(0, begin) : NOTHING;
}

/** Field by field: to spread a parsed object takes longer than to parse it. */
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
