import type { Ctx } from '@switchyard/contracts';
import type { Span } from '@switchyard/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteReservation } from '../limits/byte-reservation';

/** An authorized request: its caller and its content. */
export interface ApiRequest extends FastifyRequest {
  ctx?: Ctx;
  /** While traces are on. */
  span?: Span;
  /** Bytes in flight reserved for its body. */
  reservation?: ByteReservation;
  /** There while the client waits to be told that it may send its body. */
  sendContinue?: () => void;
}

export type ApiReply = FastifyReply;

/** The signed-in caller of a request that passed the gate. */
export function callerOf(request: FastifyRequest): Ctx {
  const { ctx } = request as ApiRequest;
  if (!ctx) throw new Error('no caller: the route is public, or the gate did not run');
  return ctx;
}
