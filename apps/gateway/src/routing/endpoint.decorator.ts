import { HttpCode, applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ErrorCode } from '@switchyard/kernel';
import type { AccessRule, CallContract, Class, Deprecation, Idempotence, StreamContract } from '@switchyard/contracts';

/** Another answer than the usual one that is no refusal either. */
export interface OtherAnswer {
  status: number;
  description: string;
  /** Schema of `data`, if not the default. */
  reply?: Class;
}

interface RouteOptions {
  /** A verb and a noun. Required for every route of the OpenAPI document. */
  operationId?: string;
  /** One line for the OpenAPI document. */
  summary: string;
  description?: string;
  /** Needs no credential, and honours one that is sent, which must be valid then. */
  honoursCredential?: boolean;
  status?: number;
  /** Schema of `data`, if it is not the operation's reply. */
  reply?: Class;
  /** Fields beside `data` in the envelope. */
  siblings?: Class;
  also?: readonly OtherAnswer[];
  /** The answer is not in the envelope: the reply itself, or another media type. */
  raw?: boolean | string;
  /** The answer may be a stream of server-sent events; a text says of which protocol, where it is not that of turns. */
  sse?: boolean | string;
  /** An upstream answers: in the form of the OpenAI API, streams and errors included, and with statuses of its own. */
  relayed?: boolean;
  /** Answers in the form of the OpenAI API: errors have their nested twin, streams the events of that protocol. */
  openai?: boolean;
  /** How the body arrives: parsed JSON, the bytes, or the stream itself. */
  body?: 'json' | 'bytes' | 'stream';
  /** Texts of the body may hold anything, NUL and halves of characters too: they are looked at, and go nowhere. */
  anyText?: boolean;
  /** The media types of a body that is not JSON. */
  takes?: readonly string[];
  /** Refusals of the route itself, beside those of the operation. */
  errors?: readonly ErrorCode[];
  /** Names an operation's area in the OpenAPI document; the controller's path when not said. */
  tag?: string;
  /** Neither counted nor limited: health, and the files that the console loads before sign-in. */
  unlimited?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
  deprecated?: Deprecation;
  /** Only for the console: left out of the published document, covered by the access tests. */
  internal?: boolean;
}

/** The operation that a route is for: its contract says who may use it, how it fails, and whether it counts once. */
interface OperationRoute extends RouteOptions {
  calls: CallContract | StreamContract;
}

/**
 * A route that stands for no single operation: what speaks a protocol of its own, and what the gateway answers itself.
 */
interface OwnRoute extends RouteOptions {
  access: 'public' | AccessRule;
}

export interface EndpointOptions extends RouteOptions {
  access: 'public' | AccessRule;
  /** Honours the Idempotency-Key header; `body`: and the body's `idempotencyKey`, which wins. */
  idempotent: Idempotence;
  errors: readonly ErrorCode[];
}

function read(route: OperationRoute | OwnRoute): EndpointOptions {
  if (!('calls' in route)) return { ...route, idempotent: false, errors: route.errors ?? [] };
  const { calls, ...options } = route;
  if (calls.access === 'internal') throw new Error(`${calls.subject} is internal: no route may be made for it`);
  const isCall = calls.kind === 'call';
  return {
    ...(isCall ? { reply: calls.reply } : {}),
    ...options,
    access: calls.access,
    idempotent: isCall && calls.idempotent,
    errors: [...calls.errors, ...(options.errors ?? [])],
  };
}

const ENDPOINT = Symbol('endpoint');

/** Declares a route's access and responses: read by the auth guard, the tests and the OpenAPI document. */
export function Endpoint(route: OperationRoute | OwnRoute): MethodDecorator {
  const options = read(route);
  return applyDecorators(
    HttpCode(options.status ?? 200),
    RouteConfig({ endpoint: options }),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
      Reflect.defineMetadata(ENDPOINT, options, descriptor.value as object);
    },
  );
}

export const endpointOf = (handler: object): EndpointOptions | undefined =>
  Reflect.getMetadata(ENDPOINT, handler) as EndpointOptions | undefined;
