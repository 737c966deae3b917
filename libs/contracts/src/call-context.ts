import { AppError, newId } from '@switchyard/kernel';
import type { OperatorScope, Role } from './access';
import type { ServiceName } from './services';

export type CredentialType = 'jwt' | 'api_key' | 'system_key' | 'operator_key' | 'nats_account' | 'service';

/**
 * Placeholder for rows that need a Space id and have none: operator keys, sign-ins without a Space, idempotency keys of
 * operators. No Space has this id, and no credential opens it.
 */
export const NO_SPACE = '00000000-0000-7000-8000-000000000000';

/** Rights of an operator. Only set by the gateway for a route under `/operator`. */
export interface OperatorRights {
  scopes: readonly OperatorScope[];
  /** When the person entered the password (epoch milliseconds); null for a key or if unknown. */
  signedInAt: number | null;
}

/** The caller and the Space: the signed part of a context. */
export interface Identity {
  spaceId: string | null;
  userId: string | null;
  role: Role | null;
  scopes: readonly string[];
  credentialId: string | null;
  credentialType: CredentialType;
  applicationId: string | null;
  /** The caller used a key value that was rotated out and is still in its grace period. */
  isReplaced?: boolean;
  operator?: OperatorRights;
  /** For tokens of the external issuer: time of the sign-in there (epoch milliseconds). */
  signedInAt?: number;
}

/** The chain of emissions that led to this work, for loop detection. */
export interface Cause {
  causationId: string | null;
  correlationId: string | null;
  depth: number;
}

export interface Idempotency {
  key: string;
  route: string;
  fingerprint: string;
  /**
   * Of the same content, as former keys stored it. Made by the service that stores answers, never sent.
   */
  formerFingerprints?: readonly string[];
  /** If the content holds secrets, `fingerprint` is keyed in a message, and this is the plain one, encrypted. */
  sealedFingerprint?: string;
  /** The content holds secrets: a plain digest invites guessing. Never sent. */
  isSecret?: boolean;
}

/** A handler's instructions to the gateway besides its data. */
export interface ReplyFlags {
  replayed?: boolean;
}

/** The work that makes a call, and the root of its tree: links of the cause tree. */
export interface Lineage {
  /** Id of the tree's root: an execution, an emission, a job, or the key of a turn. */
  root: string;
  /** Key of the node that makes the call: `step:...`, `tool_call:...`, `job:...`, `record_write:...`. */
  parent: string;
}

/** The part of a context that travels with a message, and is stored with an event. */
export interface CarriedCtx extends Identity, Cause {
  requestId: string;
  traceparent?: string;
  lineage?: Lineage;
}

/** Always passed as an argument, never ambient state. */
export interface Ctx extends CarriedCtx {
  /** Id of the message that caused this work; the same for every delivery over any transport. */
  messageId?: string;
  /** Epoch milliseconds; the caller stops waiting then. */
  deadline: number;
  idempotency?: Idempotency;
  /** Aborts when the reader of a stream disconnects; never for plain calls. */
  signal: AbortSignal;
  answer: ReplyFlags;
}

const NEVER = new AbortController().signal;

const NO_CAUSE: Cause = { causationId: null, correlationId: null, depth: 0 };

export const DEFAULT_TIMEOUT_MS = 15_000;

export const makeCtx = (identity: Identity, rest: Partial<Omit<Ctx, keyof Identity>> = {}): Ctx => ({
  spaceId: identity.spaceId,
  userId: identity.userId,
  role: identity.role,
  scopes: identity.scopes,
  credentialId: identity.credentialId,
  credentialType: identity.credentialType,
  applicationId: identity.applicationId,
  isReplaced: identity.isReplaced,
  operator: identity.operator,
  signedInAt: identity.signedInAt,
  causationId: rest.causationId ?? null,
  correlationId: rest.correlationId ?? null,
  depth: rest.depth ?? 0,
  requestId: rest.requestId ?? newId(),
  traceparent: rest.traceparent,
  lineage: rest.lineage,
  messageId: rest.messageId,
  deadline: rest.deadline ?? 0,
  idempotency: rest.idempotency,
  signal: rest.signal ?? NEVER,
  answer: rest.answer ?? {},
});

/** As an event stores it: without rights that hold for the request alone. */
export const storedCtx = (ctx: CarriedCtx): CarriedCtx => ({
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

/** As a message carries it. */
export const carriedCtx = (ctx: CarriedCtx): CarriedCtx => ({
  isReplaced: ctx.isReplaced,
  operator: ctx.operator,
  signedInAt: ctx.signedInAt,
  ...storedCtx(ctx),
});

/** Context of work that a service starts by itself: no user, no Space. */
export const serviceCtx = (service: ServiceName): Ctx =>
  makeCtx({
    spaceId: null,
    userId: null,
    role: null,
    scopes: [],
    credentialId: service,
    credentialType: 'service',
    applicationId: null,
  });

/** The same request on behalf of another identity, such as a task's owner. The deadline is reset. */
export const actAs = (ctx: Ctx, identity: Partial<Identity>): Ctx => ({
  ...ctx,
  ...identity,
  deadline: 0,
  idempotency: undefined,
  answer: {},
});

export const caused = (ctx: Ctx, cause: Partial<Cause>): Ctx => ({ ...ctx, ...NO_CAUSE, ...cause });

/** Whether the credential has limits of its own: an API key or a NATS account. */
export const isLimited = ({ credentialType }: Pick<Identity, 'credentialType'>): boolean =>
  credentialType === 'api_key' || credentialType === 'nats_account';

/**
 * The API key or NATS account whose limits apply; null for people, applications and services. A NATS account is its own
 * user: both ids are the same.
 */
export const apiKeyOf = (identity: Pick<Identity, 'credentialType' | 'credentialId'>): string | null =>
  isLimited(identity) ? identity.credentialId : null;

/** The Space of this context; throws if there is none. */
export function requireSpace(ctx: Ctx): string {
  if (ctx.spaceId === null) throw new AppError('FORBIDDEN', 'This needs a credential of a Space.');
  return ctx.spaceId;
}

export function requireUser(ctx: Ctx): string {
  if (ctx.userId === null) throw new AppError('FORBIDDEN', 'This needs a credential of a person.');
  return ctx.userId;
}
