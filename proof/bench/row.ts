import type { PlatformState } from '@switchyard/testing';

/** One line of the table: what we do beside what it is measured against, in the same run. */
export interface Measured {
  what: string;
  beside: string;
  ours: number;
  theirs: number;
  unit: string;
  ratio: number;
  target: string;
  /** Meaning of the target if it is not the ratio: the figure itself, or the difference; or that there is none. */
  judged?: 'ours' | 'added' | 'none';
  met: boolean;
  /** Microseconds of processor time of one operation of ours, in each process. */
  cpu?: Readonly<Record<string, number>>;
  /** Version of Node of the other side, if it is not ours. */
  theirNode?: string;
  /** Of a question to a service: how Postgres found the answer. */
  plan?: string;
}

/** How the services share processes: as `npm start` starts them, or each in its own, as Kubernetes and Compose do. */
export type Shape = 'hosts' | 'services';

export interface BenchContext {
  /** The platform that runs for the benchmark. */
  state: PlatformState;
  /** How its services share processes. */
  shape: Shape;
  report: (line: string) => void;
}

export interface BenchRow {
  name: string;
  /** The shapes that it measures; the one of `npm start` if it names none. Rows of a second shape are labelled. */
  shapes?: readonly [Shape, ...Shape[]];
  /** Takes its time: left out when no row is named. */
  onlyByName?: boolean;
  run(context: BenchContext): Promise<Measured[]>;
}
