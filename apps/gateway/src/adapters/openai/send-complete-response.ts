import { type Ctx, errorOfTurn, type TurnFailure } from '@switchyard/contracts';
import { AppError, type JsonObject } from '@switchyard/kernel';
import type { FastifyReply } from 'fastify';
import { markReplayed } from '../../routing/success-response';
import type { FrameFollower } from '../../turn-events/frame-follower';
import type { Projection } from '../../turn-events/protocol-projection';
import type { TurnHandle } from './openai-turns';

interface WholeAnswer {
  turn: TurnHandle;
  projection: Projection & { readonly failure: TurnFailure | null };
  /** The answer of a turn that has not failed. */
  body: () => JsonObject;
}

/** Answers with one body when the turn is over; stops reading it if the caller disconnects. */
export async function sendCompleteResponse(
  follower: FrameFollower,
  ctx: Ctx,
  reply: FastifyReply,
  { turn, projection, body }: WholeAnswer,
): Promise<void> {
  const closed = new AbortController();
  reply.raw.once('close', () => {
    closed.abort();
  });
  await follower.follow(ctx, { ...turn, projection, until: closed.signal });
  if (projection.failure) throw errorOf(projection.failure);
  if (turn.isAgain) markReplayed(reply);
  void reply.send(body());
}

/** The published client repeats a request after a 409: a cancelled turn must not begin again. */
const errorOf = (failure: TurnFailure): AppError =>
  failure.code === 'CONFLICT'
    ? new AppError('CONFLICT', failure.message, { headers: { 'x-should-retry': 'false' } })
    : errorOfTurn(failure);
