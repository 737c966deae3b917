import type { Class } from '../fields/field-schema';
import type { Deprecation } from './deprecation';

/**
 * A class for part of a request: its fields must be fields of the request with compatible types. Bodies may also have
 * the idempotency key, which the gateway reads.
 */
export type PartOf<Part, Req> = {
  [K in keyof Part]: K extends keyof Req ? Req[K] : K extends 'idempotencyKey' ? Part[K] : never;
};

type BodyOf<Req, Body extends object> =
  | { body?: Class<Body>; bodyField?: undefined }
  /** The body is one field of the request. When not said, it has fields of the request. */
  | { [K in keyof Req & string]: { body: Class<NonNullable<Req[K]> & object>; bodyField: K } }[keyof Req & string];

/** As `HttpRoute`, checked against its request type. */
export type HttpRouteOf<Req, Body extends object, Query extends object> = Omit<
  HttpRoute,
  'body' | 'bodyField' | 'query'
> &
  BodyOf<Req, Body> & { query?: Class<Query> };

/** Declares a route that is only this call; the gateway generates it. */
export interface HttpRoute {
  /** Operation id in the OpenAPI document and in generated clients: `createTask`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/api`. A path parameter sets the request field of its name, or else `id`. */
  path: string;
  /** Default 200. */
  status?: 201 | 202;
  /** One line for the OpenAPI document. */
  summary: string;
  description?: string;
  /** The `message` of the response. */
  message: string;
  /** Class of the body. Default: the whole request, or none if the path has all fields. */
  body?: Class;
  /** The one request field that is the body. Default: the body's fields are request fields. */
  bodyField?: string;
  /** Class of the query of a reading route. Default as for the body. */
  query?: Class;
  /** OpenAPI tag; default: the first path segment. */
  tag?: string;
  deprecated?: Deprecation;
}
