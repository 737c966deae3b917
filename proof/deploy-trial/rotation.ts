import { until } from '@switchyard/testing';
import type { Secrets } from '../../tools/launcher/home/secrets';
import { changeable } from '../../tools/secrets/platform-secrets';
import type { Conversation, LoadStatus } from './conversation';
import { blocksOf, documented } from './documented';
import { NOW, type Trial } from './setting-up';
import { step } from './step';

const PAGE = 'secrets.md';
const PATIENCE = { timeoutMs: 120_000, everyMs: 1_000 };
const NEW_OWNER_PASSWORD = 'correct-horse-of-the-trial';

const namesOf = (rotation: string): string[] =>
  changeable().flatMap((each) => (each.rotation === rotation ? [each.name] : []));
const readersOf = (names: readonly string[]): string[] => [
  ...new Set(changeable().flatMap(({ name, services }) => (names.includes(name) ? services : []))),
];

/** Every secret gets a new value by the commands of docs/operate/secrets.md, while a Space works. */
export async function rotation(trial: Trial): Promise<void> {
  const before = await trial.platform.secrets(NOW);
  const work = await step('a Space works', () => trial.platform.converse(NOW));
  await new Rotation(trial, before, work).all();
}

class Rotation {
  private interrupted = 0;

  constructor(
    private readonly trial: Trial,
    private readonly before: Secrets,
    private readonly work: Conversation,
  ) {}

  async all(): Promise<void> {
    await this.work.ask('more');
    await this.twoValues('add');
    await this.twoValues('use');
    await step('re-encrypt', () => this.shell(documented(PAGE, '### Re-encrypt with Compose')));
    await this.oneValue();
    await step('owners rotate their keys', () => this.rotateKeys());
    await this.twoValues('finish');
    await step('the old values are refused', () => this.oldAreRefused());
    await step("the owner's password", () => this.ownerPassword());
    await step('nothing acknowledged is lost', () => this.checkAcknowledged());
    await this.trial.platform.customer(NOW, 'check');
    await this.trial.platform.customer(NOW, 'service');
    this.work.end();
  }

  /** The secrets with two values take a step together, as if they were one. */
  private async twoValues(name: 'add' | 'use' | 'finish'): Promise<void> {
    const names = namesOf('two values');
    await step(`${name} ${names.join(', ')}`, async () => {
      await this.change(name, ...names);
      await this.restart(...readersOf(names));
    });
  }

  private async oneValue(): Promise<void> {
    const { platform } = this.trial;
    const withoutReaders = ['database-administrator', 'nats-operator', 'nats-migration'];
    await step(`replace ${withoutReaders.join(', ')}`, async () => {
      await this.change('replace', ...withoutReaders);
      await platform.compose(NOW, 'run', '--rm', '-T', 'streams');
    });
    await step('replace nats-api-user', async () => {
      await this.change('replace', 'nats-api-user');
      await this.restart('gateway', 'event-bus');
      await platform.customer(NOW, 'service');
    });
    await step('replace nats-api-operator-key', async () => {
      // A rollback to 0.1.0 forgot its value: docs/operate/upgrade.md asks for its end.
      await this.work.ask('revoke-old-operator-key');
      await this.change('replace', 'nats-api-operator-key');
      await this.restart('key', 'nats-accounts');
      await platform.customer(NOW, 'service');
      const { result } = await this.work.ask('revoke-old-operator-key');
      if (result !== 1) throw new Error(`${String(result)} operator keys were revoked`);
    });
  }

  /** Changes the file and lets the servers take it, which may interrupt no request. */
  private async change(name: string, ...secrets: string[]): Promise<void> {
    const [change = '', take = ''] = blocksOf(PAGE, '## Rotate with Compose');
    for (const secret of secrets) await this.shell(change.replaceAll('<step>', name).replaceAll('<secret>', secret));
    await this.shell(take);
    await this.servesOn();
  }

  /** With one replica each, requests wait meanwhile; none is answered with anything else than 503. */
  private async restart(...readers: string[]): Promise<void> {
    const [, , restart = ''] = blocksOf(PAGE, '## Rotate with Compose');
    await this.shell(restart.replaceAll('<readers>', readers.join(' ')));
    const status = await this.noneRefused();
    const waits = status.interrupted - this.interrupted;
    console.log(`        ${waits} attempts answered 503 or not at all, ${status.served} requests served until now`);
    this.interrupted = status.interrupted;
  }

  private async servesOn(): Promise<void> {
    const { interrupted } = await this.noneRefused();
    if (interrupted > this.interrupted)
      throw new Error(`${interrupted - this.interrupted} requests were interrupted although no service restarted`);
  }

  private async noneRefused(): Promise<LoadStatus> {
    const status = await this.work.ask('more');
    if (status.wrong.length > 0) throw new Error(`requests were refused: ${JSON.stringify(status.wrong)}`);
    return status;
  }

  /** Waits until the query of the page counts no remaining key. */
  private async rotateKeys(): Promise<void> {
    const { platform } = this.trial;
    await this.work.ask('rotate-keys');
    await platform.customer(NOW, 'rotate-key');
    const [query = ''] = blocksOf(PAGE, '## Rotate the peppers', 'sql');
    await until(async () => /^[1-9]\d*\|0$/u.test(await platform.sql(NOW, query)), PATIENCE);
  }

  private async oldAreRefused(): Promise<void> {
    const { platform, box } = this.trial;
    const after = await platform.secrets(NOW);
    const address = async (server: string): Promise<string> => {
      const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
      return (await box.run('docker', 'inspect', '--format', format, `switchyard-${server}-1`)).trim();
    };
    const nats = `nats://${await address('nats')}:4222`;
    const users = (of: Secrets): { seed: string }[] => [
      ...Object.values(of.services).map((own) => own.nats),
      of.natsOperator,
      of.natsMigration,
    ];
    for (const [isAccepted, all] of [
      [false, users(this.before)],
      [true, users(after)],
    ] as const)
      for (const { seed } of all) {
        const { result } = await this.work.ask('nats-accepts', nats, seed);
        if (result !== isAccepted)
          throw new Error(`NATS accepts a user of ${isAccepted ? 'now' : 'before'}: ${String(result)}`);
      }
    await this.passwordsOfPostgres(this.before, false);
    await this.passwordsOfPostgres(after, true);
    const ping = (password: string): Promise<string> =>
      platform.compose(NOW, 'exec', '-T', '--env', `REDISCLI_AUTH=${password}`, 'redis', 'redis-cli', 'ping');
    if (!(await ping(after.redisPassword)).includes('PONG')) throw new Error('Redis refuses its password');
    if ((await ping(this.before.redisPassword)).includes('PONG')) throw new Error('Redis accepts its old password');
    for (const { dataKey } of [after.services.key, after.services.agent, after.services['event-bus']])
      if (!/^2:[^,]+$/u.test(dataKey)) throw new Error('a data key is not the new one alone');
  }

  private async passwordsOfPostgres(of: Secrets, isAccepted: boolean): Promise<void> {
    const { platform } = this.trial;
    const logins = Object.entries(of.services).flatMap(([service, { databasePassword }]) =>
      service === 'gateway' ? [] : [[`switchyard_${service.replace('-', '_')}`, databasePassword] as const],
    );
    for (const [user, password] of [['switchyard', of.databaseAdminPassword] as const, ...logins]) {
      const psql = ['psql', '--host=postgres', `--username=${user}`, '--dbname=switchyard', '--command=select 1'];
      const accepted = await platform
        .compose(NOW, 'exec', '-T', '--env', `PGPASSWORD=${password}`, 'postgres', ...psql)
        .then(
          () => true,
          (error: unknown) => {
            if (!String(error).includes('password authentication failed')) throw error;
            return false;
          },
        );
      if (accepted !== isAccepted) throw new Error(`Postgres: ${user} is ${accepted ? 'accepted' : 'refused'}`);
    }
  }

  private async ownerPassword(): Promise<void> {
    const { result } = await this.work.ask('owner-password', NEW_OWNER_PASSWORD);
    if (result !== true) throw new Error('the old password of the owner is accepted');
    this.trial.platform.ownerHasPassword(NEW_OWNER_PASSWORD);
  }

  private async checkAcknowledged(): Promise<void> {
    const status = await this.work.ask('finish');
    if (status.wrong.length > 0) throw new Error(JSON.stringify(status.wrong));
    const { spaceId, taskId, emitted } = status.result as { spaceId: string; taskId: string; emitted: number };
    const query = `select string_agg(distinct status, ','), count(*) from task.executions where space_id = '${spaceId}' and task_id = '${taskId}'`;
    await until(async () => (await this.trial.platform.sql(NOW, query)) === `SUCCEEDED|${emitted}`, PATIENCE);
    console.log(`        ${status.served} requests were served and none was refused`);
  }

  private shell(commands: string): Promise<string> {
    return this.trial.box.shell(NOW, commands);
  }
}
