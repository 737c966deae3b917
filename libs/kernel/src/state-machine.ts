/** The states and transitions of a record, declared once for code and SQL. */
export class StateMachine<State extends string> {
  /** In the order of the table. */
  readonly states: readonly State[];

  constructor(private readonly moves: Readonly<Record<State, readonly State[]>>) {
    this.states = Object.keys(moves) as State[];
  }

  canMove(from: State, to: State): boolean {
    return this.moves[from].includes(to);
  }

  /** No transition leaves the state. */
  hasEnded(state: State): boolean {
    return this.moves[state].length === 0;
  }

  get ended(): readonly State[] {
    return this.states.filter((state) => this.hasEnded(state));
  }

  /** The states with a transition to `to`. */
  before(to: State, among: readonly State[] = this.states): readonly State[] {
    return among.filter((from) => this.canMove(from, to));
  }
}

/**
 * Condition on the states of a row that is selected by its key. `=` or `in` would match a partial index on states,
 * which the planner may prefer to the key and then scans.
 */
export const sqlStatesByKey = (column: string, ...states: readonly string[]): string => {
  if (states.length === 0) throw new Error('a condition on no state at all');
  return `(${states.map((state) => `${column} is not distinct from '${state}'`).join(' or ')})`;
};

/** For `in (...)`. States are constants, never user input. */
export const sqlStates = (states: readonly string[]): string => {
  if (states.length === 0) throw new Error('a condition on no state at all');
  return `(${states.map((state) => `'${state}'`).join(', ')})`;
};
