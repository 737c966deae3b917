import type { Class } from '../fields/spec';

/**
 * A class that gives a part of a request: each of its fields is one of the request's, of a type that the request takes.
 * The key of idempotency comes in bodies as well; the gate reads it.
 */
export type PartOf<Part, Req> = {
  [K in keyof Part]: K extends keyof Req ? Req[K] : K extends 'idempotencyKey' ? Part[K] : never;
};

type BodyOf<Req, Body extends object> =
  | { body?: Class<Body>; bodyField?: undefined }
  /** The body is one field of the request. When not said, it has fields of the request. */
  | { [K in keyof Req & string]: { body: Class<NonNullable<Req[K]> & object>; bodyField: K } }[keyof Req & string];

/** As `HttpRoute`, held to the request that it is a route of. */
export type HttpRouteOf<Req, Body extends object, Query extends object> = Omit<
  HttpRoute,
  'body' | 'bodyField' | 'query'
> &
  BodyOf<Req, Body> & { query?: Class<Query> };

/** Where callers from outside find an operation, where the route is nothing but the call: the gateway makes it from this. */
export interface HttpRoute {
  /** Names the operation in the OpenAPI document, and in clients that are generated from it: `Tasks_create`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Beneath `/api`. A parameter gives the field of the request that has its name; where there is none, the `id`. */
  path: string;
  /** 200 when not said. */
  status?: 201 | 202;
  /** One line for the OpenAPI document. */
  summary: string;
  description?: string;
  /** The `message` of the answer. */
  message: string;
  /** The class of the body. When not said, it is the whole request, or nothing where the path gives all of it. */
  body?: Class;
  /** The one field of the request that the body is. When not said, the body has fields of the request. */
  bodyField?: string;
  /** The class of the query of a route that reads. When not said, as with the body. */
  query?: Class;
  /** Its area in the OpenAPI document; the first word of the path when not said. */
  tag?: string;
}
