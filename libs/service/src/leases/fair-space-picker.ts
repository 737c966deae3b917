import type { PayerCache } from '../known/payer-cache';
import type { Holding } from './leased-rows';
import { type Shares, allocateSlots, byPayer } from './capacity-shares';

/** More are passed over than this: the next round begins with all again. */
const PASSED_OVER_MAX = 2_000;

/**
 * Picks the Spaces whose work this process takes next, and divides its free slots among them: each payer has its share.
 * A Space that gets no slot is left out of the next rounds, until one has seen all that are due. So it does not hide
 * the Spaces behind it.
 */
export class FairSpacePicker {
  private readonly passedOver = new Set<string>();

  constructor(
    private readonly payerCache: PayerCache,
    private readonly share: Shares,
    private readonly usedBySpace: () => ReadonlyMap<string, Holding>,
  ) {}

  get usedByPayer(): Map<string, Holding> {
    return byPayer(this.usedBySpace(), this.payerCache.of);
  }

  /** Spaces to leave out when the next ones are looked up. */
  get excluded(): string[] {
    const used = this.usedByPayer;
    const { slots, bytes } = this.share;
    const isFull = (spaceId: string): boolean => {
      const own = used.get(this.payerCache.of(spaceId));
      return own !== undefined && (own.slots >= slots.alone || own.bytes >= bytes.alone);
    };
    return [...new Set([...[...this.usedBySpace().keys()].filter(isFull), ...this.passedOver])];
  }

  /** Waits until their payers are known: Spaces of one payer must not pass for several, not even once. */
  async pick(spaces: readonly string[], freeSlots: number): Promise<Map<string, Holding>> {
    await this.payerCache.know(spaces);
    const { share, usedByPayer: used, payerCache: payers } = this;
    const allocated = allocateSlots(spaces, freeSlots, { used, share, payerOf: payers.of });
    for (const space of spaces) if (!allocated.has(space)) this.passOver(space);
    return allocated;
  }

  passOver(spaceId: string): void {
    this.passedOver.add(spaceId);
  }

  /** `hasMore`: there may be due Spaces that this round has not seen. */
  endRound(hasMore: boolean): void {
    if (!hasMore || this.passedOver.size > PASSED_OVER_MAX) this.passedOver.clear();
  }
}
