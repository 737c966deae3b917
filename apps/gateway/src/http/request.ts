import type { Ctx } from '@switchyard/contracts';
import type { Span } from '@switchyard/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request after the gate: who sent it, and what it carries. */
export interface GateRequest extends FastifyRequest {
  ctx?: Ctx;
  /** While traces are on. */
  span?: Span;
}

export type GateReply = FastifyReply;

/** The signed-in caller of a request that passed the gate. */
export function callerOf(request: FastifyRequest): Ctx {
  const { ctx } = request as GateRequest;
  if (!ctx) throw new Error('no caller: the route is public, or the gate did not run');
  return ctx;
}
