import { parseArgs } from 'node:util';
import { portFrom } from '../launcher/options';
import { SERVICES, type ServiceName } from '../launcher/service-names';
import { StopSentence } from '../launcher/stop-sentence';

export interface DevOptions {
  service: ServiceName;
  /** Where a debugger may attach. */
  inspect: number | undefined;
  help: boolean;
}

export const devHelp = `npm run dev -- SERVICE [options]

Beside a platform that runs (npm start): builds and starts the service again whenever one of its sources changes, or a
library's, and shows its log. Enter starts it again at once; Ctrl-C ends the watching, and the service runs on.

  SERVICE          ${SERVICES.join(', ')}
  --inspect=9229   lets a debugger attach to the service at this port
  --help           show this

Environment: SWITCHYARD_HOME (.switchyard), the folder of the platform.
`;

export function parseDevOptions(args: string[]): DevOptions {
  const { values, positionals } = parsed(args);
  const { help = false, inspect } = values;
  const [service = 'gateway'] = positionals;
  if (!help && positionals.length !== 1)
    throw new StopSentence(`Name one service: npm run dev -- SERVICE. There are ${SERVICES.join(', ')}.`);
  if (!isService(service)) throw new StopSentence(`No such service: ${service}. There are ${SERVICES.join(', ')}.`);
  return { service, inspect: inspect === undefined ? undefined : portFrom(inspect, 0, '--inspect'), help };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { inspect: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new StopSentence(`${error instanceof Error ? error.message : String(error)}. See npm run dev -- --help.`);
  }
}

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);
