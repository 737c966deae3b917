import { callRoute, operatorKey } from './call-route';
import { isMachineCommand, machineUsages, runOnMachine } from './account-commands';
import { isRouteCommand, parseRouteCommand, routeUsages } from './route-commands';

/**
 * `npm run operator -- COMMAND`, in a container `node dist/tools/operator/operator-command.js COMMAND`: the routes under
 * `/operator` of the platform at SWITCHYARD_URL, with the operator key in SWITCHYARD_KEY; and what needs the machine, for
 * those who cannot sign in.
 */
const help = `npm run operator -- COMMAND [--json]

  ${routeUsages.join('\n  ')}

On the machine of the platform, without a key:

  ${machineUsages.join('\n  ')}

Environment: SWITCHYARD_URL (http://127.0.0.1:3000), SWITCHYARD_KEY (a key of the type OPERATOR).
`;

async function main(line: readonly string[]): Promise<void> {
  try {
    if (line.includes('--help')) process.stdout.write(help);
    else if (isMachineCommand(line[0]))
      process.stdout.write(`${await runOnMachine(line[0], line.slice(1), process.env)}\n`);
    else {
      if (isRouteCommand(line[0])) operatorKey(process.env);
      process.stdout.write(`${await callRoute(parseRouteCommand(line, machineUsages), process.env)}\n`);
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

void main(process.argv.slice(2));
