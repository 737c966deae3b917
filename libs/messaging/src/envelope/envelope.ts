import { AppError, newId } from '@switchyard/kernel';
import { Ctx, Idempotency, Identity, Lineage, makeCtx } from '@switchyard/contracts';
import { Seal, Sealer } from './seal';

export interface EnvelopeCtx extends Identity {
  requestId: string;
  traceparent?: string;
  lineage?: Lineage;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
  idempotency?: Idempotency;
  seal?: Seal;
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
}

export function packEnvelope(options: {
  sealer: Sealer;
  source: string;
  name: string;
  aud: string;
  ctx: Ctx;
  deadline: number;
  data: unknown;
}): string {
  const { ctx } = options;
  const envelope: Envelope = {
    id: newId(),
    name: options.name,
    version: 1,
    source: options.source,
    at: new Date().toISOString(),
    deadline: options.deadline,
    ctx: {
      ...plainCtx(ctx),
      idempotency: ctx.idempotency,
      seal: options.sealer.seal(ctx, options.aud),
    },
    data: options.data,
  };
  return JSON.stringify(envelope);
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
  causationId: ctx.causationId,
  correlationId: ctx.correlationId,
  depth: ctx.depth,
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Reads an envelope; whether its identity may be believed is the sealer's to say. */
export function parseEnvelope(payload: string | Uint8Array): Envelope {
  let value: unknown;
  try {
    value = JSON.parse(
      typeof payload === 'string'
        ? payload
        : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString(),
    );
  } catch (cause) {
    throw new AppError('VALIDATION_ERROR', 'The message is not an envelope.', { cause });
  }
  const envelope = value as Partial<Envelope> | null;
  const ctx = envelope?.ctx as Partial<EnvelopeCtx> | undefined;
  if (!envelope || text(envelope.id) === null || text(envelope.name) === null || !ctx || !Array.isArray(ctx.scopes)) {
    throw new AppError('VALIDATION_ERROR', 'The message is not an envelope.');
  }
  return envelope as Envelope;
}

export const ctxOf = (envelope: Envelope, signal?: AbortSignal): Ctx =>
  makeCtx(envelope.ctx, { ...envelope.ctx, messageId: envelope.id, deadline: envelope.deadline, signal, answer: {} });
