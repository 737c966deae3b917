import { Injectable } from '@nestjs/common';
import { AgentStreams, type Ctx, endsStream, seqOfFrame, TURN_WAIT_MS } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { Bus, type StreamReader } from '@switchyard/messaging';
import { ActiveResponses } from '../auth/active-responses';
import { Principals } from '../auth/principals';
import { project, type Projection } from './protocol-projection';
import { reattach, streamInterrupted } from './reattach-stream';
import type { FrameSource } from './turn-streamer';

interface Following extends FrameSource {
  projection: Projection;
  /** Ends early with the frames so far: the client disconnected, or reads only the current state. */
  until?: AbortSignal;
}

/** Follows the frames of a turn for a caller who does not stream, until its projection is complete. */
@Injectable()
export class FrameFollower {
  constructor(
    private readonly bus: Bus,
    private readonly streams: ActiveResponses,
    private readonly principals: Principals,
  ) {}

  /** Ends if the caller's credential does; the turn continues. Returns the number of the last frame. */
  follow(ctx: Ctx, following: Following): Promise<number> {
    return this.streams.whileValid(ctx, async (valid) => {
      const late = AbortSignal.timeout(TURN_WAIT_MS);
      const signal = AbortSignal.any([valid, late, ...(following.until ? [following.until] : [])]);
      const newest = await this.read(ctx, following, signal);
      if (following.projection.isOver || following.until?.aborted)
        return newest === '' ? following.after : seqOfFrame(newest);
      if (late.aborted) throw new AppError('TIMEOUT', 'The turn did not end in time. Read its answer by its id.');
      // A partial answer is never returned as complete.
      throw endsStream(newest)
        ? new AppError('NOT_FOUND', 'The turn has ended without this answer.')
        : streamInterrupted();
    });
  }

  /** Gives the newest frames that there were. */
  private async read(
    ctx: Ctx,
    { agentId, turnId, open, projection, after, isUnstored }: Following,
    signal: AbortSignal,
  ): Promise<string> {
    const own = isUnstored ? { isOwnStream: true } : {};
    let last = after;
    let newest = '';
    let reader: StreamReader<string> | null = await open(signal);
    while (reader) {
      try {
        if (projection.isOver || !(await reader.more())) {
          reader.cancel();
          return newest;
        }
      } catch {
        // The agent process failed; another one continues the turn.
        reader = await reattach(
          async (again) => {
            await this.principals.verifyAgain(ctx);
            return this.bus.stream(
              AgentStreams.attach,
              ctx,
              { agentId, turnId, after: last, ...own },
              { signal: again },
            );
          },
          () => !signal.aborted,
        );
        continue;
      }
      const ready = reader.takeReady().filter((frame) => frame !== '');
      newest = ready.at(-1) ?? newest;
      project(projection, ready);
      if (newest !== '') last = seqOfFrame(newest);
    }
    return newest;
  }
}
