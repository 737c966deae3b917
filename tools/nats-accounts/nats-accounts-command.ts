import { StopSentence } from '../launcher/stop-sentence';
import { accountUsages, isAccountCommand, runAccountCommand } from './accounts-command';
import { isSyncCommand, runSyncCommand, syncUsages } from './sync-command';

const help = `npm run nats-accounts -- COMMAND

  ${[...accountUsages, ...syncUsages].join('\n  ')}

Environment: SWITCHYARD_URL (http://127.0.0.1:3000), SWITCHYARD_KEY (of an ADMIN of the Space; for print, loaded and
sync a key of the type OPERATOR with operator:nats).
`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === '--help') process.stdout.write(help);
  else if (isAccountCommand(name)) await runAccountCommand(name, args, process.env);
  else if (isSyncCommand(name)) await runSyncCommand(name, args, process.env);
  else throw new StopSentence(`${name === undefined ? 'A command is missing.' : `No command ${name}.`}\n\n${help}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
