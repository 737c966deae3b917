import { TokenCounts } from '../domain/pricing';

export type CallOutcome = 'completed' | 'aborted' | 'failed' | 'swept';

export interface Settlement {
  counts: TokenCounts;
  /** The catalogue id that answered, a fallback perhaps. */
  model: string;
  upstream: string | null;
  cost: number;
  outcome: CallOutcome;
}

const ignore = (): void => undefined;

interface ReservationSettler {
  settle(tokenReservation: TokenReservation, settlement: Settlement | null): Promise<void>;
}

/** Tokens held for one call. It is settled or released exactly once; later calls do nothing. */
export class TokenReservation {
  /** Answer tokens seen so far; null until the upstream answers. A crash is metered by it. */
  seenTokens: number | null = null;
  /** It has a row that tells how far it is. */
  isNoted = false;
  private ended: Promise<void> | undefined;

  constructor(
    readonly spaceId: string,
    readonly id: string,
    private readonly settler: ReservationSettler,
    /** While the reservation is still being written: resolves when it stands, fails with why it does not. */
    readonly admission?: Promise<void>,
  ) {}

  get isEnding(): boolean {
    return this.ended !== undefined;
  }

  settle(settlement: Settlement): Promise<void> {
    this.ended ??= this.end(settlement);
    return this.ended;
  }

  release(): Promise<void> {
    this.ended ??= this.end(null);
    return this.ended;
  }

  private end(settlement: Settlement | null): Promise<void> {
    const settle = (): Promise<void> => this.settler.settle(this, settlement);
    // Where it was refused, nothing was held.
    return this.admission ? this.admission.then(settle, ignore) : settle();
  }
}
