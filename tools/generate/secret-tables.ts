import { SERVICES } from '../launcher/service-names';
import { PLATFORM_SECRETS, type PlatformSecret, STORED_SECRETS } from '../secrets/platform-secrets';
import { formatted } from './formatted';

const code = (text: string): string => `\`${text}\``;

const readersOf = ({ services, otherReaders = [] }: PlatformSecret): string =>
  [
    ...(services.length === SERVICES.length
      ? ['all services']
      : services.length === SERVICES.length - 1
        ? ['all services but `gateway`']
        : services.map(code)),
    ...otherReaders,
  ].join(', ');

const FIELD_OF_SERVICES = new Set(['nats', 'privateKey', 'dataKey', 'databasePassword']);

const fieldOf = ({ generated }: PlatformSecret): string => {
  if (generated === undefined) return '';
  return code(FIELD_OF_SERVICES.has(generated) ? `services.*.${generated}` : generated);
};

const variablesOf = ({ settings = [], files = [] }: PlatformSecret): string =>
  [...settings.map(code), ...files.map((name) => `${code(name)} (file)`)].join(', ');

const COMMANDS: Readonly<Record<PlatformSecret['rotation'], string>> = {
  'two values': '`add`, `use`, `finish`',
  restart: '`replace`',
  automatic: '',
  'its owner': '',
};

const commandOf = (secret: PlatformSecret): string => {
  const steps = COMMANDS[secret.rotation];
  return steps && `${steps} \`${secret.name}\``;
};

const interruptionOf = ({ rotation, interruption }: PlatformSecret): string =>
  interruption || (rotation === 'its owner' ? '' : 'nothing');

/** Each table by its head. */
const tables = (): { head: string[]; rows: string[][] }[] => [
  {
    head: ['Secret', 'Protects', 'If it is lost'],
    rows: PLATFORM_SECRETS.map(({ title, protects, onLoss }) => [title, protects, onLoss]),
  },
  {
    head: ['Secret', 'Read by', 'Setting', 'Field of `secrets.json`', 'Kubernetes Secret / key'],
    rows: PLATFORM_SECRETS.map((secret) => [
      secret.title,
      readersOf(secret),
      variablesOf(secret),
      fieldOf(secret),
      (secret.kubernetes ?? []).map((each) => code(each.startsWith('nats/') ? each : `switchyard-${each}`)).join(', '),
    ]),
  },
  {
    head: ['Secret', 'Steps', 'Between or after them', 'Users notice'],
    rows: PLATFORM_SECRETS.map((secret) => [secret.title, commandOf(secret), secret.how ?? '', interruptionOf(secret)]),
  },
  {
    head: ['Secret in the database', 'Protects', 'Rotation'],
    rows: STORED_SECRETS.map(({ title, protects, rotation }) => [title, protects, rotation]),
  },
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The page about the platform's secrets, with its tables written from the declaration. */
export function withSecretTables(page: string): Promise<string> {
  let text = page;
  for (const { head, rows } of tables()) {
    const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
    const table = [head, head.map(() => '---'), ...rows].map(line).join('');
    const pattern = new RegExp(`^\\| ${head.map(escaped).join(' +\\| ')} +\\|\\n(?:\\|.*\\n)+`, 'm');
    if (!pattern.test(text)) throw new Error(`The page has no table with the head ${head.join(', ')}.`);
    text = text.replace(pattern, () => table);
  }
  return formatted('page.md', text);
}
