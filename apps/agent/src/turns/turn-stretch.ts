import { advance } from '../domain/turn';
import type { TurnState, Usage } from '../domain/turn-state';
import type { Effect, Update } from '../domain/turn-update';
import type { TurnFeed } from './turn-feed';
import type { TurnSpec } from './turn-spec';

/** A turn as this process moves it, from a beginning or an answer to a pause or an end. */
export class TurnStretch {
  /** What the reducer has asked for and nobody has begun. */
  readonly effects: Effect[] = [];
  private readonly stop = new AbortController();
  private readonly startedAt = Date.now();
  /** The turn was interrupted in the middle of a model call, whose usage nobody has told. */
  wasCut = false;

  constructor(
    readonly spec: TurnSpec,
    readonly feed: TurnFeed,
    private standing: TurnState,
  ) {}

  get state(): TurnState {
    return this.standing;
  }

  /** Fires when whatever is under way shall be left. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  get workedMs(): number {
    return this.standing.workedMs + Date.now() - this.startedAt;
  }

  /** Under which lease this process holds the turn. */
  get held(): { key: string; epoch: number } {
    return { key: this.spec.key, epoch: this.spec.epoch };
  }

  /** What another process needs to go on from here. */
  checkpoint(): { state: TurnState; seq: number } {
    return { state: { ...this.standing, workedMs: this.workedMs }, seq: this.feed.seq };
  }

  /** The only way in which a turn moves. */
  apply(update: Update): void {
    const step = advance(this.spec.facts, this.standing, update);
    this.standing = step.state;
    this.feed.emit(step.frames);
    this.effects.push(...step.effects);
  }

  /** As `apply`, over whatever is under way. False when the turn is ending already. */
  interrupt(update: Update): boolean {
    if (this.standing.phase === 'closing' || this.standing.phase === 'closed') return false;
    this.wasCut = this.standing.open !== null;
    this.leave();
    this.effects.length = 0;
    this.apply(update);
    return true;
  }

  leave(): void {
    this.stop.abort();
  }

  charge(usage: Usage): void {
    this.standing = { ...this.standing, usage };
  }

  closed(): void {
    this.standing = { ...this.standing, phase: 'closed' };
  }
}
