import { Injectable } from '@nestjs/common';

/** Less than any lease: who has heard nothing of its leases for so long keeps quiet until it has. */
const BELIEVE_MS = 7_000;
const IN_DOUBT = Number.NEGATIVE_INFINITY;

/** How many turns this process holds, and whether it may still believe that they are its own. */
@Injectable()
export class HeldLeases {
  private heardAt = performance.now();
  private doubtedAt = 0;
  turns = 0;

  /** The leases stood when a heartbeat began that has come back. */
  heard(at: number): void {
    // One that began before the doubt says nothing about what has happened since.
    if (at < this.doubtedAt) return;
    this.heardAt = at;
  }

  /** Heartbeats begin: what is held from here on has a young lease. A doubt stays until a heartbeat has come back. */
  begin(at: number): void {
    if (this.heardAt !== IN_DOUBT) this.heardAt = at;
  }

  /** Others may have taken this process for gone. */
  doubt(): void {
    this.heardAt = IN_DOUBT;
    this.doubtedAt = performance.now();
  }

  /** In doubt nothing is said. */
  get areBelieved(): boolean {
    return this.turns === 0 || performance.now() - this.heardAt < BELIEVE_MS;
  }
}
