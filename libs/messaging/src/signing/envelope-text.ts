import { newId } from '@switchyard/kernel';
import type { Ctx, Idempotency, Lineage, OperatorRights } from '@switchyard/contracts';
import type { UnboundSeal } from './unbound-seal';

export interface EnvelopeParts {
  name: string;
  source: string;
  ctx: Ctx;
  deadline: number;
  data: unknown;
  /** Where something of the data is bound to it already. */
  id?: string;
  /** The encrypted fields: characters that need no escape. */
  secret?: string;
  opens?: boolean;
  /** Of the version before; see `Sealer.sealIdentity`. */
  seal: UnboundSeal | undefined;
}

let clockMs = 0;
let clockText = '';

/** The time as text: every message says it, and many leave in one millisecond. */
function nowText(): string {
  const ms = Date.now();
  if (ms !== clockMs) {
    clockMs = ms;
    clockText = new Date(ms).toISOString();
  }
  return clockText;
}

/** Without a value a field is null: `undefined` is no JSON. */
const json = (value: unknown): string => JSON.stringify(value ?? null);

/** A field that most contexts do not have. */
const optional = (
  name: string,
  value: string | boolean | number | Lineage | Idempotency | OperatorRights | UnboundSeal | undefined,
): string => (value === undefined ? '' : `,"${name}":${json(value)}`);

/**
 * A new envelope as JSON, field by field: the same as `JSON.stringify` of the object, in a third of its time, for no
 * object is made and no field looked for.
 */
export function envelopeText({ name, source, ctx, deadline, data, id, secret, opens, seal }: EnvelopeParts): string {
  const body = JSON.stringify(data) as string | undefined;
  return (
    `{"id":"${id ?? newId()}","name":${json(name)},"version":1,"source":${json(source)},"at":"${nowText()}",` +
    `"deadline":${deadline},"ctx":${ctxText(ctx, seal)}${body === undefined ? '' : `,"data":${body}`}` +
    `${secret === undefined ? '' : `,"secret":"${secret}"`}${opens ? ',"opens":true' : ''}}`
  );
}

const ctxText = (ctx: Ctx, seal: UnboundSeal | undefined): string =>
  `{"requestId":${json(ctx.requestId)},"spaceId":${json(ctx.spaceId)},"userId":${json(ctx.userId)},` +
  `"role":${json(ctx.role)},"scopes":${json(ctx.scopes)},"credentialId":${json(ctx.credentialId)},` +
  `"credentialType":${json(ctx.credentialType)},"applicationId":${json(ctx.applicationId)},` +
  `"causationId":${json(ctx.causationId)},"correlationId":${json(ctx.correlationId)},"depth":${json(ctx.depth)}` +
  `${optional('isReplaced', ctx.isReplaced)}${optional('traceparent', ctx.traceparent)}${optional('lineage', ctx.lineage)}` +
  `${optional('operator', ctx.operator)}${optional('signedInAt', ctx.signedInAt)}` +
  `${optional('idempotency', ctx.idempotency)}${optional('seal', seal)}}`;
