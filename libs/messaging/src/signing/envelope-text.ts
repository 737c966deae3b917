import { newId } from '@switchyard/kernel';
import {
  CONTRACTS_VERSION,
  type Ctx,
  type Idempotency,
  type Lineage,
  type OperatorRights,
} from '@switchyard/contracts';

export interface EnvelopeParts {
  name: string;
  source: string;
  ctx: Ctx;
  deadline: number;
  data: unknown;
  /** Set if part of the data is bound to it. */
  id?: string;
  /** The encrypted fields, in characters that need no escaping. */
  secret?: string;
  opens?: boolean;
}

let clockMs = 0;
let clockText = '';

/** Cached, as many messages are sent in one millisecond. */
function nowText(): string {
  const ms = Date.now();
  if (ms !== clockMs) {
    clockMs = ms;
    clockText = new Date(ms).toISOString();
  }
  return clockText;
}

/** `undefined` becomes null. */
const json = (value: unknown): string => JSON.stringify(value ?? null);

/** For fields that most contexts lack. */
const optional = (
  name: string,
  value: string | boolean | number | Lineage | Idempotency | OperatorRights | undefined,
): string => (value === undefined ? '' : `,"${name}":${json(value)}`);

/** Serializes an envelope field by field: the same text as `JSON.stringify`, in a third of its time. */
export function envelopeText({ name, source, ctx, deadline, data, id, secret, opens }: EnvelopeParts): string {
  const body = JSON.stringify(data) as string | undefined;
  return (
    `{"id":"${id ?? newId()}","name":${json(name)},"version":${CONTRACTS_VERSION},"source":${json(source)},"at":"${nowText()}",` +
    `"deadline":${deadline},"ctx":${ctxText(ctx)}${body === undefined ? '' : `,"data":${body}`}` +
    `${secret === undefined ? '' : `,"secret":"${secret}"`}${opens ? ',"opens":true' : ''}}`
  );
}

const ctxText = (ctx: Ctx): string =>
  `{"requestId":${json(ctx.requestId)},"spaceId":${json(ctx.spaceId)},"userId":${json(ctx.userId)},` +
  `"role":${json(ctx.role)},"scopes":${json(ctx.scopes)},"credentialId":${json(ctx.credentialId)},` +
  `"credentialType":${json(ctx.credentialType)},"applicationId":${json(ctx.applicationId)},` +
  `"causationId":${json(ctx.causationId)},"correlationId":${json(ctx.correlationId)},"depth":${json(ctx.depth)}` +
  `${optional('isReplaced', ctx.isReplaced)}${optional('traceparent', ctx.traceparent)}${optional('lineage', ctx.lineage)}` +
  `${optional('operator', ctx.operator)}${optional('signedInAt', ctx.signedInAt)}` +
  `${optional('idempotency', ctx.idempotency)}}`;
