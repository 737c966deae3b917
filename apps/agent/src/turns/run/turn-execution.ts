import type { Checkpoint } from '../../domain/final-frames';
import { advance } from '../../domain/turn-reducer';
import type { TurnState, Usage } from '../../domain/turn-state';
import type { Effect, Update } from '../../domain/turn-update';
import type { TurnFeed } from '../frames/turn-feed';
import type { TurnSpec } from './turn-spec';

const BLOCK_OF = { delta: 'text', reasoning: 'reasoning' } as const;

/** A turn as this process moves it, from a beginning or an answer to a pause or an end. */
export class TurnExecution {
  /** Effects requested by the reducer and not started. */
  readonly effects: Effect[] = [];
  private readonly stop = new AbortController();
  private startedAt = Date.now();
  /** The turn was interrupted during a model call, whose usage is unknown. */
  wasCut = false;
  /** Deltas of the open block that are not in `standing` yet: they are added when the state is read. */
  private unheard = '';
  private unheardKind: 'delta' | 'reasoning' = 'delta';

  constructor(
    readonly spec: TurnSpec,
    readonly feed: TurnFeed,
    private committedState: TurnState,
  ) {}

  get state(): TurnState {
    this.commitPending();
    return this.committedState;
  }

  /** Fires when the work in progress must be abandoned. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  isStopped(): boolean {
    return this.stop.signal.aborted;
  }

  get workedMs(): number {
    return this.committedState.workedMs + Date.now() - this.startedAt;
  }

  /** It stood still for so long, which is no work. */
  rested(ms: number): void {
    this.startedAt += ms;
  }

  /** Under which lease this process holds the turn. */
  get lease(): { key: string; epoch: number } {
    return { key: this.spec.key, epoch: this.spec.epoch };
  }

  /** State that another process needs to continue. */
  checkpoint(): Checkpoint {
    const { feed, state, workedMs } = this;
    return { state: { ...state, workedMs }, seq: feed.seq, finalFrames: feed.unconfirmed() };
  }

  /**
   * The same as `apply` of a delta, but cheaper: within an open block it gathers text instead of making a new state.
   */
  appendDelta(kind: 'delta' | 'reasoning', text: string): void {
    if (this.committedState.open?.block?.type !== BLOCK_OF[kind]) {
      this.apply({ type: kind, text });
      return;
    }
    this.unheard += text;
    this.unheardKind = kind;
  }

  /** The only way in which a turn moves. */
  apply(update: Update): void {
    this.commitPending();
    const step = advance(this.spec.facts, this.committedState, update);
    this.committedState = step.state;
    this.feed.emit(step.frames);
    this.effects.push(...step.effects);
  }

  /** As `apply`, also during work in progress. False if the turn is already ending. */
  interrupt(update: Update): boolean {
    if (this.committedState.phase === 'closing' || this.committedState.phase === 'closed') return false;
    this.wasCut = this.committedState.open !== null;
    this.leave();
    this.effects.length = 0;
    this.apply(update);
    return true;
  }

  leave(): void {
    this.stop.abort();
  }

  charge(usage: Usage): void {
    this.committedState = { ...this.state, usage };
  }

  closed(): void {
    this.committedState = { ...this.state, phase: 'closed' };
  }

  private commitPending(): void {
    if (this.unheard === '') return;
    const text = this.unheard;
    this.unheard = '';
    this.committedState = advance(this.spec.facts, this.committedState, { type: this.unheardKind, text }).state;
  }
}
