import { HttpCode, applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ErrorCode } from '@switchyard/kernel';
import type { Class, Role, Scope } from '@switchyard/contracts';

/** Another answer than the usual one that is no refusal either. */
export interface OtherAnswer {
  status: number;
  description: string;
  /** What `data` holds, where it is not what it usually is. */
  reply?: Class;
}

export interface EndpointOptions {
  /** One line for the OpenAPI document. */
  summary: string;
  description?: string;
  /** Needs no credential; `or-signed-in`: and honours one, which must be valid then. */
  public?: boolean | 'or-signed-in';
  scope?: Scope;
  /** The least role (VIEWER when not said). */
  role?: Role;
  /** Takes the key of an application as well; `only`: nothing else. */
  systemKey?: 'also' | 'only';
  status?: number;
  /** What `data` holds. */
  reply?: Class;
  also?: readonly OtherAnswer[];
  /** The answer is not in the envelope: the reply itself, or another media type. */
  raw?: boolean | string;
  /** The answer may be a stream of server-sent events. */
  sse?: boolean;
  /** An upstream answers: in the form of the OpenAI API, streams and errors included, and with statuses of its own. */
  relayed?: boolean;
  /** Answers in the form of the OpenAI API: errors have their nested twin, streams the events of that protocol. */
  openai?: boolean;
  /** Honours the Idempotency-Key header; `body`: and the body's `idempotencyKey`, which wins. */
  idempotent?: boolean | 'body';
  /** How the body arrives: parsed JSON, the bytes, or the stream itself. */
  body?: 'json' | 'bytes' | 'stream';
  /** Texts of the body may hold anything, NUL and halves of characters too: they are looked at, and go nowhere. */
  anyText?: boolean;
  /** The media types of a body that is not JSON. */
  takes?: readonly string[];
  errors?: readonly ErrorCode[];
  /** Names an operation's area in the OpenAPI document; the controller's path when not said. */
  tag?: string;
  /** Neither counted nor limited: health and the like. */
  unlimited?: boolean;
  /** Left out of the OpenAPI document. */
  hidden?: boolean;
}

const ENDPOINT = Symbol('endpoint');

/** What a route promises and demands: read by the gate, by the tests and by the OpenAPI document. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
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
