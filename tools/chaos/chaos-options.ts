import { CONTROLS, type Control } from './sabotage';

export interface CommandOptions {
  seed: number;
  emissions: number;
  faults: number;
  callers: number;
  perSecond: number;
  /** Guards that are taken away, one run for each, which must then be found out. */
  without: Control[];
  /** A run with all guards, first. */
  whole: boolean;
  verbose: boolean;
  keep: boolean;
}

export const chaosHelp = `npm run test:faults -- [options]

  --seed N          the faults of an earlier run, at the same work (default: from the clock)
  --emissions N     how many to emit (default 2000; the target run has 10000)
  --faults N        how many faults (default 25; the target run has 70)
  --callers N       at once (default 16)      --rate N   emissions a second at most (default 200)
  --controls        then take guards away one by one (${CONTROLS.join(', ')}) and demand that it is found out
  --without GUARD   one run without this guard
  --keep --verbose
`;

const isControl = (name: string): name is Control => (CONTROLS as string[]).includes(name);

export function parseChaosOptions(args: readonly string[]): CommandOptions {
  const options: CommandOptions = {
    seed: Date.now() % 1_000_000,
    emissions: 2000,
    faults: 25,
    callers: 16,
    perSecond: 200,
    without: [],
    whole: true,
    verbose: false,
    keep: false,
  };
  const numbers: Record<string, 'seed' | 'emissions' | 'faults' | 'callers' | 'perSecond'> = {
    '--seed': 'seed',
    '--emissions': 'emissions',
    '--faults': 'faults',
    '--callers': 'callers',
    '--rate': 'perSecond',
  };
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    const number = numbers[argument];
    if (number) options[number] = Number(args[(index += 1)]);
    else if (argument === '--controls') options.without = [...CONTROLS];
    else if (argument === '--without') {
      const name = args[(index += 1)] ?? '';
      if (!isControl(name)) throw new Error(`there is no guard called ${name}; there are ${CONTROLS.join(', ')}`);
      options.without = [name];
      options.whole = false;
    } else if (argument === '--verbose') options.verbose = true;
    else if (argument === '--keep') options.keep = true;
    else throw new Error(`${argument} is not an option\n\n${chaosHelp}`);
  }
  return options;
}
