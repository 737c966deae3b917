import { NEIGHBOURS } from './rows';

export interface NeighbourOptions {
  rows: string[];
  quietMs: number;
  attackMs: number;
  soakMinutes: number;
  scale: string[];
  /** Of a scale run: how many envelopes, Spaces, streams or turns. */
  count: number | null;
  json: string;
  verbose: boolean;
  keep: boolean;
}

export const SCALES = ['envelopes', 'spaces', 'streams', 'replicas'];

export const neighboursHelp = `npm run test:neighbours -- [options] [row ...]

  --seconds N       how long each attack goes on (default 15); the quiet times before and after are as long
  --soak MINUTES    mixed tenants, one of them hostile, with figures every minute, instead of the rows
  --scale NAME      a scale run instead of the rows: ${SCALES.join(', ')}
  --count N         how much of it (default 1000000 envelopes, 10000 Spaces, 10000 streams, 60 turns with more besides)
  --json FILE       where the figures are kept (default neighbours.json in the folder for temporary files)
  --verbose --keep

Rows: ${NEIGHBOURS.map(({ name }) => name).join(', ')}
`;

export function parseNeighbourOptions(args: readonly string[], temporary: string): NeighbourOptions {
  const options: NeighbourOptions = {
    rows: [],
    quietMs: 15_000,
    attackMs: 15_000,
    soakMinutes: 0,
    scale: [],
    count: null,
    json: `${temporary}/neighbours.json`,
    verbose: false,
    keep: false,
  };
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    const value = (): string => args[(index += 1)] ?? '';
    const count = (): number => {
      const number = Number(value());
      if (!(number > 0)) throw new Error(`${argument} takes a number above 0`);
      return number;
    };
    if (argument === '--seconds') {
      options.attackMs = count() * 1_000;
      options.quietMs = options.attackMs;
    } else if (argument === '--soak') options.soakMinutes = count();
    else if (argument === '--count') options.count = count();
    else if (argument === '--scale') options.scale.push(oneOf(SCALES, value()));
    else if (argument === '--json') options.json = value();
    else if (argument === '--verbose') options.verbose = true;
    else if (argument === '--keep') options.keep = true;
    else
      options.rows.push(
        oneOf(
          NEIGHBOURS.map(({ name }) => name),
          argument,
        ),
      );
  }
  return options;
}

function oneOf(names: readonly string[], name: string): string {
  if (names.includes(name)) return name;
  throw new Error(`${name} is none of ${names.join(', ')}\n\n${neighboursHelp}`);
}
