/** Names that look like settings of ours and are none: of clients, of launchers, and of standards that others read. */
const OF_OTHERS = new Set([
  'APP',
  'AGENT_DATABASE_SECOND_PASSWORD',
  'AGENT_DATABASE_URL',
  'AGENT_DATA_KEY',
  'DATABASE_ADMIN_URL',
  'DATABASE_LOGINS',
  'EVENT_BUS_DATABASE_SECOND_PASSWORD',
  'EVENT_BUS_DATABASE_URL',
  'EVENT_BUS_DATA_KEY',
  'KEY_DATABASE_SECOND_PASSWORD',
  'KEY_DATABASE_URL',
  'KEY_DATA_KEY',
  'NATS_SERVICES_MAKE_STREAMS',
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD_KEPT',
  'SECRETS_FOLDER',
]);
/** Settings of earlier versions, with what to do instead. */
const REMOVED: Readonly<Record<string, string>> = {
  BUS_PLAIN_SECRETS_UNTIL: 'remove it, all versions since 0.1.0 open encrypted fields',
  BUS_UNBOUND_SEALS_UNTIL: 'remove it, all versions since 0.1.0 sign whole messages',
  DATABASE_SPACE_SHARE_PERCENT: 'remove it, the value is always 50',
  DATASET_EMBED_WAIT_MS: 'remove it, the value is always 8000',
  ENDPOINT_RETRY_BASE_MS: 'remove it, the value is always 5000',
  INBOX_RETENTION_DAYS: 'remove it, the value is always 14',
  JOB_CALLBACK_BASE_MS: 'remove it, the value is always 5000',
  JOB_RETRY_BASE_MS: 'remove it, the value is always 1000',
  JSON_DEPTH: 'remove it, the value is always 64',
  KEY_VALIDATIONS_PER_MINUTE: 'remove it, the value is always 30',
  MCP_CONNECTIONS_MAX: 'remove it, the value is always 100',
  MCP_LISTS_AT_ONCE: 'remove it, the value is always 48',
  MCP_TOOLS_TTL_MS: 'remove it, the value is always 300000',
  RELAY_TOKENIZER_PIECE_BYTES: 'remove it, the value is always 65536',
  STREAM_RECHECK_MS: 'remove it, the value is always 20000',
  TASK_MISFIRE_GRACE_SECONDS: 'remove it, the value is always 60',
  RELAY_OPEN_PATHS: 'list the open `paths` of each upstream in the catalogue of models',
};
const OF_STANDARDS = /^(?:OTEL_|NODE_|SWITCHYARD_|SIMULATOR_|npm_|KUBERNETES_)/i;

/** Shorter names are too often near to another one by chance. */
const SHORTEST = 7;
const LONG = 12;

/** Insertions, removals, replacements and swaps of neighbours that make one name of the other; above `most` it stops. */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? most + 1;
}

/** The declared name that was probably meant: nearly the same letters, or the same name without its unit. */
export function nearestName(name: string, declared: ReadonlySet<string>): string | undefined {
  if (name.length < SHORTEST) return undefined;
  const most = name.length >= LONG ? 2 : 1;
  const upper = name.toUpperCase();
  let nearest: string | undefined;
  let fewest = most + 1;
  for (const each of declared) {
    const isWithoutUnit =
      upper.includes('_') && new RegExp(`^${upper}_(?:MS|SECONDS|HOURS|DAYS|BYTES|MB|PERCENT)$`).test(each);
    const edits = isWithoutUnit ? 0 : editsBetween(upper, each, most);
    if (edits < fewest) [nearest, fewest] = [each, edits];
  }
  return nearest;
}

/** Problems with variables that no service declares: removed settings, and names that are nearly one of a setting. */
export function nearMisses(environment: NodeJS.ProcessEnv, declared: ReadonlySet<string>): string[] {
  return Object.keys(environment)
    .filter((name) => /^\w+$/.test(name) && !declared.has(name) && !OF_OTHERS.has(name) && !OF_STANDARDS.test(name))
    .flatMap((name) => {
      const instead = REMOVED[name];
      if (instead !== undefined) return [`${name} is no setting any more: ${instead}.`];
      const nearest = nearestName(name, declared);
      return nearest === undefined ? [] : [`${name} is not a setting: did you mean ${nearest}?`];
    });
}
