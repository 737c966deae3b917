/** Every move that a record may make, written once: what code asks and what SQL says of its states come from here. */
export class StateMachine<State extends string> {
  /** Their order is that of the table. */
  readonly states: readonly State[];

  constructor(private readonly moves: Readonly<Record<State, readonly State[]>>) {
    this.states = Object.keys(moves) as State[];
  }

  canMove(from: State, to: State): boolean {
    return this.moves[from].includes(to);
  }

  /** Nothing leads away from it. */
  hasEnded(state: State): boolean {
    return this.moves[state].length === 0;
  }

  get ended(): readonly State[] {
    return this.states.filter((state) => this.hasEnded(state));
  }

  /** From which of these a move leads there. */
  before(to: State, among: readonly State[] = this.states): readonly State[] {
    return among.filter((from) => this.canMove(from, to));
  }
}

/**
 * The states of a row that is found by its key. Written as `=` or `in`, a partial index of states would serve as well, and
 * while few rows are in them the planner takes it for as good as the key: it then reads all of them for each row.
 */
export const sqlStatesByKey = (column: string, ...states: readonly string[]): string => {
  if (states.length === 0) throw new Error('a condition on no state at all');
  return `(${states.map((state) => `${column} is not distinct from '${state}'`).join(' or ')})`;
};

/** For a condition `in (...)`. The states are ours, never a caller's. */
export const sqlStates = (states: readonly string[]): string => {
  if (states.length === 0) throw new Error('a condition on no state at all');
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
};
