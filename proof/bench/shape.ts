import type { PlatformState } from '@switchyard/testing';
import { sharesProcesses } from '../../tools/launcher/options';
import type { Pids } from './cpu';
import type { BenchRow, Measured, Shape } from './row';

const LABELS: Readonly<Record<Shape, string>> = { hosts: 'shared processes', services: 'a process per service' };

/** For a row that measures one service: in a host, its figures would include those of the other services. */
export const ONE_SERVICE = ['services'] as const;

/** The shapes to measure a row in. SWITCHYARD_PROCESSES limits them to one, as it does for `npm start`. */
export function shapesOf({ shapes = ['hosts'] }: BenchRow, setting: string | undefined): readonly Shape[] {
  if (!setting) return shapes;
  return [sharesProcesses(setting) ? 'hosts' : 'services'];
}

/** The row with its shape in its name, if it is not the first shape of its bench. */
export const labelled = (row: Measured, { shapes: [first] = ['hosts'] }: BenchRow, shape: Shape): Measured =>
  shape === first ? row : { ...row, what: `${row.what} (${LABELS[shape]})` };

/**
 * The processes with these services and servers, each once; without names, all of the platform. A process with several
 * services has the name of its host, as `gateway+relay`.
 */
export function processesOf({ pids }: Pick<PlatformState, 'pids'>, names = Object.keys(pids)): Pids {
  const hostOf = (pid: number | null | undefined): string | undefined =>
    Object.keys(pids).find((name) => name.includes('+') && pids[name] === pid);
  return Object.fromEntries(names.map((name) => [hostOf(pids[name]) ?? name, pids[name]]));
}
