import path from 'node:path';
import type { AccountView, PasswordResetView } from '@switchyard/contracts';
import { StopSentence } from '../launcher/stop-sentence';
import { type KeyDatabase, keyDatabase } from './key-database';

/** Exports of the key service for this command. */
interface Machine {
  find(who: string): Promise<AccountView[]>;
  grant(userId: string): Promise<AccountView>;
  revoke(userId: string): Promise<AccountView>;
  resetPassword(userId: string): Promise<PasswordResetView>;
  close(): Promise<void>;
}

type OpenMachine = (database: KeyDatabase) => Promise<Machine>;

/** Commands that need the machine and no credential: an operator with access to it cannot be locked out. */
const MACHINE_COMMANDS = ['grant', 'revoke', 'reset-password'] as const;
type MachineCommand = (typeof MACHINE_COMMANDS)[number];

export const machineUsages: readonly string[] = MACHINE_COMMANDS.map((command) => `${command} <e-mail or id>`);

export const isMachineCommand = (name: string | undefined): name is MachineCommand =>
  MACHINE_COMMANDS.some((command) => command === name);

export async function runOnMachine(
  command: MachineCommand,
  [who, ...rest]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  if (who === undefined || rest.length > 0)
    throw new StopSentence(`Name one account: npm run operator -- ${command} <e-mail or id>`);
  const file = path.join(__dirname, '../../apps/key/src/operators/operator-command.js');
  const { openMachine } = (await import(file)) as { openMachine: OpenMachine };
  const machine = await openMachine(keyDatabase(env));
  try {
    return (await run(machine, command, theOne(await machine.find(who), who))).join('\n');
  } finally {
    await machine.close();
  }
}

/** Where several accounts have the address, nothing is done: an address does not say which of them is meant. */
function theOne(found: readonly AccountView[], who: string): AccountView {
  const [account, ...others] = found;
  if (!account) throw new StopSentence(`No account has the e-mail or id ${who}.`);
  if (others.length === 0) return account;
  const lines = found.map((each) => `  ${each.id}  made ${each.createdAt}  ${spacesOf(each)}`);
  throw new StopSentence(`${found.length} accounts have the e-mail ${who}. Name one by its id:\n${lines.join('\n')}`);
}

const spacesOf = ({ spaces }: AccountView): string =>
  spaces.length === 0 ? 'in no Space' : `in ${spaces.map(({ name, role }) => `${name} (${role})`).join(', ')}`;

async function run(machine: Machine, command: MachineCommand, account: AccountView): Promise<string[]> {
  const name = `${account.email} (${account.id})`;
  switch (command) {
    case 'grant':
      await machine.grant(account.id);
      return [`${name} is an operator.`];
    case 'revoke':
      await machine.revoke(account.id);
      return [`${name} is no operator.`];
    case 'reset-password': {
      const { token, expiresAt } = await machine.resetPassword(account.id);
      return [
        `Reset token for ${name}, shown this once: ${token}`,
        `It works until ${expiresAt}: POST /api/auth/password/reset {"token": "...", "password": "..."}, or in the console.`,
      ];
    }
  }
}
