import type { Ctx, Identity, Lineage } from '@switchyard/contracts';

/** The part of a context that is stored with an event. */
export interface StoredCtx extends Identity {
  requestId: string;
  traceparent?: string;
  lineage?: Lineage;
  causationId: string | null;
  correlationId: string | null;
  depth: number;
}

export interface AnnouncedRow {
  id: string;
  name: string;
  at: string;
  ctx: StoredCtx;
  data: unknown;
  orderKey: string | null;
  pending: string[];
}

export type StoredRow = AnnouncedRow & { epoch: number };

export const storedCtx = (ctx: Ctx | StoredCtx): StoredCtx => ({
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
