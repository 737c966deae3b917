import { ErrorCode } from '@switchyard/kernel';
import { Class } from '../fields/field-schema';
import { ServiceName } from '../services';
import type { Access } from './access-rules';
import type { HttpRoute, HttpRouteOf, PartOf } from './http-route';
import type { ToolOffer } from './mcp-tool-declaration';

/**
 * Whether a repeated idempotency key returns the first reply. `body`: the request has its own field for the key, which
 * wins.
 */
export type Idempotence = boolean | 'body';

export interface CallContract<Req extends object = object, Rep extends object = object> {
  kind: 'call';
  /** Starts with the owner: `task.execute`. */
  subject: string;
  request: Class<Req>;
  reply: Class<Rep>;
  callers: readonly ServiceName[];
  access: Access;
  errors: readonly ErrorCode[];
  idempotent: Idempotence;
  timeoutMs?: number;
  /** Falls back to the owner's internal HTTP port if NATS is down. */
  offline: boolean;
  http?: HttpRoute;
  tool?: ToolOffer;
}

interface CallOptions<Req extends object, Rep extends object, Body extends object, Query extends object> {
  subject: string;
  request: Class<Req>;
  reply: Class<Rep>;
  callers: readonly ServiceName[];
  /** Enforced by the gateway, and again by the owning service. */
  access: Access;
  errors?: readonly ErrorCode[];
  idempotent?: Idempotence;
  timeoutMs?: number;
  offline?: boolean;
  /** The HTTP route, if it is only this call. */
  http?: HttpRouteOf<Req, Body, Query>;
  /** The MCP tool, if it is only this call. */
  tool?: ToolOffer;
}

/** Request and reply, handled by one replica of the owner. */
export const defineCall = <
  Req extends object,
  Rep extends object,
  Body extends PartOf<Body, Req> & object = object,
  Query extends PartOf<Query, Req> & object = object,
>(
  options: CallOptions<Req, Rep, Body, Query>,
): CallContract<Req, Rep> => ({
  kind: 'call',
  ...options,
  errors: options.errors ?? [],
  idempotent: options.idempotent ?? false,
  offline: options.offline ?? false,
});

/** A stream of text frames that both ends forward unchanged. */
export const TextFrame = 'text' as const;
/** A stream of binary frames that both ends forward unchanged. */
export const BytesFrame = 'bytes' as const;

export type FrameKind<F> = F extends string
  ? typeof TextFrame
  : F extends Uint8Array
    ? typeof BytesFrame
    : F extends object
      ? Class<F>
      : never;

export interface StreamContract<Req extends object = object, F = unknown> {
  kind: 'stream';
  subject: string;
  request: Class<Req>;
  frame: Class | typeof TextFrame | typeof BytesFrame;
  callers: readonly ServiceName[];
  access: Access;
  errors: readonly ErrorCode[];
  /** Most unacknowledged frames: bounds the memory of a slow reader. */
  window: number;
  /** Time limit for the first frame (default 30 s). */
  beginMs?: number;
  /** For type inference only: the reader's frame type. */
  readonly frameType?: F;
}

interface StreamOptions<Req extends object> {
  subject: string;
  request: Class<Req>;
  callers: readonly ServiceName[];
  access: Access;
  errors?: readonly ErrorCode[];
  window?: number;
  beginMs?: number;
}

export function defineStream<Req extends object>(
  options: StreamOptions<Req> & { frame: typeof TextFrame },
): StreamContract<Req, string>;
export function defineStream<Req extends object>(
  options: StreamOptions<Req> & { frame: typeof BytesFrame },
): StreamContract<Req, Uint8Array>;
export function defineStream<Req extends object, F extends object>(
  options: StreamOptions<Req> & { frame: Class<F> },
): StreamContract<Req, F>;
/** One request, many frames: the handler is an async generator; its `finally` runs when the reader disconnects. */
export function defineStream<Req extends object>(
  options: StreamOptions<Req> & { frame: Class | typeof TextFrame | typeof BytesFrame },
): StreamContract<Req> {
  return { kind: 'stream', ...options, errors: options.errors ?? [], window: options.window ?? 256 };
}

export interface EventContract<Data extends object = object> {
  kind: 'event';
  name: string;
  source: ServiceName;
  data: Class<Data>;
  consumers: readonly ServiceName[];
}

/** Durable: exactly-once effect through the source's outbox and each consumer's inbox. */
export const defineEvent = <Data extends object>(options: Omit<EventContract<Data>, 'kind'>): EventContract<Data> => ({
  kind: 'event',
  ...options,
});

export interface SignalContract<Data extends object = object> {
  kind: 'signal';
  name: string;
  senders: readonly ServiceName[];
  hearers: readonly ServiceName[];
  data: Class<Data>;
}

/** Broadcast to every replica of the receivers, at most once: it may speed things up, never guarantee them. */
export const defineSignal = <Data extends object>(
  options: Omit<SignalContract<Data>, 'kind'>,
): SignalContract<Data> => ({
  kind: 'signal',
  ...options,
});

export type AnyContract = CallContract | StreamContract | EventContract | SignalContract;
