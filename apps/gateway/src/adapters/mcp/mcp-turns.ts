import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';

/** A message takes half a millisecond of the SDK: so all that are begun in one turn take a few. */
const AT_ONCE = 6;
const SHARE = 3;
const RESERVE = 2;
const WAIT_MS = 10_000;
/** As many as may wait for an answer of any kind. */
const WAITING = { all: 8_000, each: 2_000 };

/**
 * When a message is handed to the SDK. A hundred that arrive together are all there in one turn of the event loop;
 * begun at once, they would hold up everything else until the last one is answered. So a few are begun in a
 * turn, and the Spaces that wait take turns.
 */
export class McpTurns {
  private readonly slots = new FairSemaphore({
    slots: AT_ONCE,
    share: SHARE,
    reserve: RESERVE,
    waitMs: WAIT_MS,
    waiting: WAITING,
    refusal: tooManyWaitFor('the MCP server'),
  });

  async take(spaceId: string): Promise<void> {
    const waiting = this.slots.acquire(spaceId);
    if (waiting) await waiting;
    setImmediate(() => {
      this.slots.release(spaceId);
    });
  }
}
