import { Injectable } from '@nestjs/common';

/** Less than any lease: without a confirmation for so long, a process pauses its output until it has one. */
const CONFIRMED_FOR_MS = 7_000;
const UNCONFIRMED = Number.NEGATIVE_INFINITY;

/** How many turns this process holds, and whether it may still believe that they are its own. */
@Injectable()
export class TurnLeases {
  private confirmedAt = performance.now();
  private unconfirmedAt = 0;
  turns = 0;

  /** The leases stood when a heartbeat began that has come back. */
  confirm(at: number): void {
    // One that began before the doubt says nothing about what has happened since.
    if (at < this.unconfirmedAt) return;
    this.confirmedAt = at;
  }

  /** Heartbeats begin: turns claimed from here on have a new lease. A doubt stays until a heartbeat has come back. */
  begin(at: number): void {
    if (this.confirmedAt !== UNCONFIRMED) this.confirmedAt = at;
  }

  /** Others may have taken this process for gone. */
  markUnconfirmed(): void {
    this.confirmedAt = UNCONFIRMED;
    this.unconfirmedAt = performance.now();
  }

  /** In doubt nothing is said. */
  get areConfirmed(): boolean {
    return this.turns === 0 || performance.now() - this.confirmedAt < CONFIRMED_FOR_MS;
  }
}
