import { approvalTurns } from '@switchyard/testing';
import { CONTROLS, type Control, type RunKind, runOf } from './sabotage';

export interface CommandOptions {
  seed: number;
  /** How much of each kind of work: none of it means no such run. */
  work: Record<RunKind, number>;
  /** How many faults, or as many as suit the work. */
  faults: number | null;
  callers: number;
  perSecond: number;
  /** Guards that are taken away, one run for each, which must then be found out. */
  without: Control[];
  /** The runs with all guards, first. */
  whole: boolean;
  verbose: boolean;
  keep: boolean;
}

export const chaosHelp = `npm run test:faults -- [options]

  --seed N          the faults of an earlier run, at the same work (default: from the clock)
  --emissions N     how many to emit (default 2000; the target run has 10000)
  --chat N          how many turns to talk (default 150; the target run has 500)
  --jobs N          how many jobs to submit (default 100)
  --approvals N     how many turns that need an approval (default SWITCHYARD_APPROVAL_TURNS, or 1000)
  --only KIND       emissions, chat, jobs, approvals or disk alone; disk, full disks, needs the right to mount
  --faults N        how many faults in each run (default: 25 and more with the work)
  --callers N       at once (default 16)      --rate N   emissions a second at most (default 200)
  --controls        then take guards away one by one (${CONTROLS.join(', ')})
                    and demand that a rule breaks which each guard is there for
  --without GUARD   one run without this guard
  --keep --verbose
`;

const isControl = (name: string): name is Control => (CONTROLS as string[]).includes(name);
const KINDS: readonly RunKind[] = ['emissions', 'chat', 'jobs', 'approvals', 'disk'];

/** Large enough to find out what is missing. */
const CONTROL_WORK: Record<RunKind, number> = { emissions: 600, chat: 40, jobs: 24, approvals: 40, disk: 0 };

/** No part of other runs: not everybody may mount a disk. */
const DISK_WORK = 2000;

export function parseChaosOptions(args: readonly string[]): CommandOptions {
  const options: CommandOptions = {
    seed: Date.now() % 1_000_000,
    work: { emissions: 2000, chat: 150, jobs: 100, approvals: approvalTurns(1000), disk: 0 },
    faults: null,
    callers: 16,
    perSecond: 200,
    without: [],
    whole: true,
    verbose: false,
    keep: false,
  };
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    const value = (): string => args[(index += 1)] ?? '';
    if (argument === '--seed') options.seed = Number(value());
    else if (argument === '--faults') options.faults = Number(value());
    else if (argument === '--callers') options.callers = Number(value());
    else if (argument === '--rate') options.perSecond = Number(value());
    else if (argument === '--only') keepOnly(options, value());
    else if (argument === '--controls') options.without = [...CONTROLS];
    else if (argument === '--without') {
      const name = value();
      if (!isControl(name)) throw new Error(`there is no guard called ${name}; there are ${CONTROLS.join(', ')}`);
      options.without.push(name);
      options.whole = false;
    } else if (argument === '--verbose') options.verbose = true;
    else if (argument === '--keep') options.keep = true;
    else {
      const kind = KINDS.find((name) => argument === `--${name}`);
      if (!kind) throw new Error(`${argument} is not an option\n\n${chaosHelp}`);
      options.work[kind] = Number(value());
    }
  }
  return options;
}

function keepOnly({ work }: CommandOptions, kind: string): void {
  if (!KINDS.includes(kind as RunKind)) throw new Error(`--only takes ${KINDS.join(', ')}, not ${kind}`);
  for (const other of KINDS) if (other !== kind) work[other] = 0;
  if (kind === 'disk') work.disk = DISK_WORK;
}

export interface PlannedRun {
  kind: RunKind;
  work: number;
  faults: number;
  without?: Control;
}

/** One after the other: each gets a platform of its own. */
export function runsOf({ work, faults, whole, without }: CommandOptions): PlannedRun[] {
  const planned = (kind: RunKind, amount: number): PlannedRun => ({
    kind,
    work: amount,
    faults: faults ?? faultsFor(kind, amount),
  });
  const wholes = whole ? KINDS.filter((kind) => work[kind] > 0).map((kind) => planned(kind, work[kind])) : [];
  return [
    ...wholes,
    ...without.map((control) => ({ ...planned(runOf(control), CONTROL_WORK[runOf(control)]), without: control })),
  ];
}

const FAULTS: Record<RunKind, (work: number) => number> = {
  emissions: (work) => 20 + work / 100,
  chat: (work) => 20 + work / 6,
  jobs: (work) => 15 + work / 10,
  approvals: (work) => 16 + work / 30,
  disk: () => 2,
};

const faultsFor = (kind: RunKind, work: number): number => Math.round(FAULTS[kind](work));
