import { type Span, isTracing, startSpan } from '@switchyard/kernel';
import type { AnyContract, Ctx } from '@switchyard/contracts';

const nameOf = (contract: AnyContract): string => ('subject' in contract ? contract.subject : contract.name);

/** OpenTelemetry's RPC attributes. */
const attributesOf = (contract: AnyContract): Record<string, string> => {
  const [service = '', ...method] = nameOf(contract).split('..');
  return { 'rpc.system': 'nats', 'rpc.service': service, 'rpc.method': method.join('..') };
};

const messageOf = (contract: AnyContract): Record<string, string> => ({
  'messaging.system': 'nats',
  'messaging.destination.name': nameOf(contract),
});

/** Client span of a call or a stream. */
export const askingSpan = (contract: AnyContract, ctx: Ctx): Span | null =>
  isTracing()
    ? startSpan(nameOf(contract), { kind: 'client', parent: ctx.traceparent, attributes: attributesOf(contract) })
    : null;

/** Server span of a call or a stream. */
export const answeringSpan = (contract: AnyContract, ctx: { traceparent?: string; spaceId: string | null }) =>
  isTracing()
    ? startSpan(nameOf(contract), {
        kind: 'server',
        parent: ctx.traceparent,
        attributes: { ...attributesOf(contract), 'switchyard.space.id': ctx.spaceId ?? undefined },
      })
    : null;

export const consumingSpan = (contract: AnyContract, ctx: { traceparent?: string; spaceId: string | null }) =>
  isTracing()
    ? startSpan(`process ${nameOf(contract)}`, {
        kind: 'consumer',
        parent: ctx.traceparent,
        attributes: {
          ...messageOf(contract),
          'messaging.operation.type': 'process',
          'switchyard.space.id': ctx.spaceId ?? undefined,
        },
      })
    : null;

/** Span of publishing an event from the outbox; only inside the trace that emitted it. */
export const publishingSpan = (name: string, ctx: { traceparent?: string }): Span | null =>
  isTracing() && ctx.traceparent !== undefined
    ? startSpan(`send ${name}`, {
        kind: 'producer',
        parent: ctx.traceparent,
        attributes: {
          'messaging.system': 'nats',
          'messaging.destination.name': name,
          'messaging.operation.type': 'send',
        },
      })
    : null;

/** Makes the span the parent of the context's calls. */
export const inSpan = <C extends { traceparent?: string }>(ctx: C, span: Span | null): C =>
  span === null ? ctx : { ...ctx, traceparent: span.traceparent };
