import type { TestPlatform, TestSpace } from '@switchyard/testing';
import type { Hostile } from './hostile';

/** The Space of an attack, fresh for each row. */
export interface Scene {
  platform: TestPlatform;
  space: TestSpace;
  hostile: Hostile;
  /** The attack ends with it. */
  signal: AbortSignal;
  /** How much of something the attack makes: the smaller number in the short form. */
  size: (short: number, full: number) => number;
}

export interface Attack {
  /** Attacks until the scene's signal is aborted. */
  run: () => Promise<void>;
  /** Ends what this process holds for the attack: servers, sockets. */
  close?: () => void;
}

/** One row of the table of budgets: a Space at its worst. */
export interface Neighbour {
  name: string;
  /** The attacked resource. */
  bound: string;
  /** Statuses of which one must have been answered, where the attack cannot be served. */
  refusals?: readonly number[];
  prepare: (scene: Scene) => Promise<Attack>;
}
