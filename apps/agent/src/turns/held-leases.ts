import { Injectable } from '@nestjs/common';

/** Less than any lease: who has heard nothing of its leases for so long keeps quiet until it has. */
const BELIEVE_MS = 7_000;

/** How many turns this process holds, and whether it may still believe that they are its own. */
@Injectable()
export class HeldLeases {
  private heardAt = performance.now();
  turns = 0;

  /** The leases stood when a heartbeat began that has come back. */
  heard(at: number): void {
    this.heardAt = at;
  }

  /** The first turn since a while: its lease is young, and no heartbeat has asked for it yet. In doubt, one has to. */
  begun(at: number): void {
    if (this.heardAt > 0 && at - this.heardAt >= BELIEVE_MS) this.heardAt = at;
  }

  /** Others may have taken this process for gone. */
  doubt(): void {
    this.heardAt = Number.NEGATIVE_INFINITY;
  }

  /** In doubt nothing is said. */
  get areBelieved(): boolean {
    return this.turns === 0 || performance.now() - this.heardAt < BELIEVE_MS;
  }
}
