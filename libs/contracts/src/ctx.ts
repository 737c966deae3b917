import { AppError, newId } from '@switchyard/kernel';
import type { OperatorScope, Role } from './access';
import type { ServiceName } from './services';

export type CredentialType = 'jwt' | 'api_key' | 'system_key' | 'operator_key' | 'service';

/**
 * Stands in for a Space where rows need one and have none: the keys of operators, sign-ins of people without a Space, and
 * the idempotency keys of operators. No Space ever has this id, and no credential opens it.
 */
export const NO_SPACE = '00000000-0000-7000-8000-000000000000';

/** What an operator may do, in a context that the gateway made for a route beneath `/operator`, and in no other. */
export interface OperatorRights {
  scopes: readonly OperatorScope[];
  /** When the person gave the password, in milliseconds since the epoch; null for a key, and where nobody knows. */
  signedInAt: number | null;
}

/** Who acts, and in which Space. This is the signed part of a context. */
export interface Identity {
  spaceId: string | null;
  userId: string | null;
  role: Role | null;
  scopes: readonly string[];
  credentialId: string | null;
  credentialType: CredentialType;
  applicationId: string | null;
  /** The caller came with a value of the key that a rotation has replaced, and whose grace still runs. */
  isReplaced?: boolean;
  operator?: OperatorRights;
  /** Of a token of the external issuer: when the person signed in there, in milliseconds since the epoch. */
  signedInAt?: number;
}

/** The chain of emissions that led to this work: what the loop guard counts. */
export interface Cause {
  causationId: string | null;
  correlationId: string | null;
  depth: number;
}

export interface Idempotency {
  key: string;
  route: string;
  fingerprint: string;
}

/** What a handler tells the gateway beside its data. */
export interface Answer {
  replayed?: boolean;
}

/** Which piece of work makes a call, and which record all of it goes back to: what the tree of causes is made of. */
export interface Lineage {
  /** The id of the tree's root: an execution, an emission, a job, or the key of a turn. */
  root: string;
  /** The key of the node that makes the call: `step:...`, `tool_call:...`, `job:...`, `record_write:...`. */
  parent: string;
}

/** An argument everywhere, never hidden state. */
export interface Ctx extends Identity, Cause {
  requestId: string;
  traceparent?: string;
  lineage?: Lineage;
  /** Of the message that brought this work: the same by whichever road it came, and however often. */
  messageId?: string;
  /** Milliseconds since the epoch; nobody waits for this work after it. */
  deadline: number;
  idempotency?: Idempotency;
  /** Aborts when the reader of a stream has left. For plain calls it never does. */
  signal: AbortSignal;
  answer: Answer;
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

/** For work that a service starts by itself: no user, no Space. */
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

/** The same request, acting as somebody else: a task's owner, for instance. The deadline starts anew. */
export const actAs = (ctx: Ctx, identity: Partial<Identity>): Ctx => ({
  ...ctx,
  ...identity,
  deadline: 0,
  idempotency: undefined,
  answer: {},
});

export const caused = (ctx: Ctx, cause: Partial<Cause>): Ctx => ({ ...ctx, ...NO_CAUSE, ...cause });

/** The API key behind this work, whose limits it counts against; null for a person, an application and a service. */
export const apiKeyOf = ({ credentialType, credentialId }: Identity): string | null =>
  credentialType === 'api_key' ? credentialId : null;

/** The Space of this work. A context without one never falls back to anything. */
export function requireSpace(ctx: Ctx): string {
  if (ctx.spaceId === null) throw new AppError('FORBIDDEN', 'This needs a credential of a Space.');
  return ctx.spaceId;
}

export function requireUser(ctx: Ctx): string {
  if (ctx.userId === null) throw new AppError('FORBIDDEN', 'This needs a credential of a person.');
  return ctx.userId;
}
