import { callRoute } from './call-route';
import { parseRouteCommand, routeUsages } from './route-commands';

/**
 * `npm run operator -- COMMAND`: the routes under `/operator` of the platform at SWITCHYARD_URL, with the operator key in
 * SWITCHYARD_KEY.
 */
const help = `npm run operator -- COMMAND [--json]

  ${routeUsages.join('\n  ')}

Environment: SWITCHYARD_URL (http://127.0.0.1:3000), SWITCHYARD_KEY (a key of the type OPERATOR).
`;

async function main(line: readonly string[]): Promise<void> {
  try {
    if (line.includes('--help')) process.stdout.write(help);
    else process.stdout.write(`${await callRoute(parseRouteCommand(line), process.env)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

void main(process.argv.slice(2));
