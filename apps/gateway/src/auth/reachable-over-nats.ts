import type { EndpointOptions } from '../routing/endpoint.decorator';

/** By the paths of routes: sign-ins, and what is a stream, a file or a protocol of its own. */
const CLOSED = [
  /^\/api\/auth\/(?!me$)/,
  /^\/(?!api\/|models\/)/,
  /^\/api\/activity\/stream$/,
  /^\/api\/datasets\/:\w+\/(?:import|export)$/,
];

/** Whether the NATS API leads to a route. */
export const isReachableOverNats = (route: string, { access, body }: EndpointOptions): boolean =>
  access !== 'public' &&
  access.operator === undefined &&
  body !== 'stream' &&
  !CLOSED.some((pattern) => pattern.test(route));
