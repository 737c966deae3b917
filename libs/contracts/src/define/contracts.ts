import { ErrorCode } from '@switchyard/kernel';
import { Class } from '../fields/spec';
import { ServiceName } from '../services';
import type { Access } from './access-rules';
import type { HttpRoute, HttpRouteOf, PartOf } from './http-route';
import type { ToolOffer } from './tool-offer';

/** Whether the same idempotency key again gets the first answer; `body`: the request has a field for the key, which wins. */
export type Idempotence = boolean | 'body';

export interface CallContract<Req extends object = object, Rep extends object = object> {
  kind: 'call';
  /** Starts with the owner's name: `task.execute`. */
  subject: string;
  request: Class<Req>;
  reply: Class<Rep>;
  callers: readonly ServiceName[];
  access: Access;
  errors: readonly ErrorCode[];
  idempotent: Idempotence;
  timeoutMs?: number;
  /** Also travels over the owner's internal HTTP port while NATS is away. */
  offline: boolean;
  http?: HttpRoute;
  tool?: ToolOffer;
}

interface CallOptions<Req extends object, Rep extends object, Body extends object, Query extends object> {
  subject: string;
  request: Class<Req>;
  reply: Class<Rep>;
  callers: readonly ServiceName[];
  /** Held against every caller by the service that answers, and by the gateway before. */
  access: Access;
  errors?: readonly ErrorCode[];
  idempotent?: Idempotence;
  timeoutMs?: number;
  offline?: boolean;
  /** Where the operation is found over HTTP, if the route is nothing but the call. */
  http?: HttpRouteOf<Req, Body, Query>;
  /** The tool of MCP that is nothing but the call. */
  tool?: ToolOffer;
}

/** Request and reply: one replica of the owner answers. */
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

/** A stream whose frames are text that both ends pass on untouched. */
export const TextFrame = 'text' as const;
/** A stream whose frames are bytes that both ends pass on untouched. */
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
  /** Frames that may be under way before the reader has taken any; bounds what a slow reader costs. */
  window: number;
  /** How long the server may take to its first frame (30 s when not said). */
  beginMs?: number;
  /** Only for the compiler: what a reader receives. */
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
/** One request, many frames: the handler is an async generator, and its `finally` runs when the reader leaves. */
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

/** Durable: through the source's outbox and each consumer's inbox, its effect happens once. */
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

/** Every replica of every hearer hears it, at most once: an accelerator, never a guarantee. */
export const defineSignal = <Data extends object>(
  options: Omit<SignalContract<Data>, 'kind'>,
): SignalContract<Data> => ({
  kind: 'signal',
  ...options,
});

export type AnyContract = CallContract | StreamContract | EventContract | SignalContract;
