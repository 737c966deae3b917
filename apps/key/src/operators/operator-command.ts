import { type AccountView, type PasswordResetView, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { isId } from '@switchyard/kernel';
import { SecurityLog } from '../audit/security-log';
import { OperatorAccountsRepository } from '../db/operator-accounts.repository';
import { ApiKeysRepository } from '../db/api-keys.repository';
import { NatsAccountsRepository } from '../db/nats-accounts.repository';
import { OperatorKeysRepository } from '../db/operator-keys.repository';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { SecurityEventsRepository } from '../db/security-events.repository';
import { normalEmail } from '../domain/normalize-email';
import { KeyConfig } from '../key.config';
import { KeyHasher } from '../secrets/key-hasher';
import { accountView } from './account-view';
import { OperatorGrants } from './grant-and-revoke-operators';
import { ResetTokenIssuer } from './create-reset-token';

const quiet = { warn: (): void => undefined, error: (): void => undefined };

/**
 * For the command on the platform's machine, while the service runs: access to the database and the peppers is enough.
 * Caches see the change at their next refresh, within seconds.
 */
export async function openMachine(of: {
  databaseUrl: string;
  secondPassword?: string | undefined;
  keyPeppers: string;
  oidcIssuer?: string | undefined;
}): Promise<OperatorMachine> {
  const database = new Database({
    service: 'key',
    url: of.databaseUrl,
    secondPassword: of.secondPassword,
    poolSize: 2,
    log: quiet,
    isProduction: true,
  });
  await database.connect();
  const config = new KeyConfig();
  config.KEY_PEPPERS = of.keyPeppers;
  if (of.oidcIssuer !== undefined) config.OIDC_ISSUER = of.oidcIssuer;
  return new OperatorMachine(database, config);
}

class OperatorMachine {
  private readonly ctx = serviceCtx('key');
  private readonly accounts = new OperatorAccountsRepository();
  private readonly changes: OperatorGrants;
  private readonly tokens: ResetTokenIssuer;

  constructor(
    private readonly database: Database,
    config: KeyConfig,
  ) {
    const log = new SecurityLog(new SecurityEventsRepository(), new NatsAccountsRepository());
    const resets = new PasswordResetsRepository();
    const keys = new OperatorKeysRepository(new ApiKeysRepository());
    this.changes = new OperatorGrants(this.accounts, keys, resets, log, config);
    this.tokens = new ResetTokenIssuer(resets, new KeyHasher(config), log);
  }

  /** The account of the id, or all that have the address. */
  find(who: string): Promise<AccountView[]> {
    return this.database.system('find accounts', async (tx) => {
      if (!isId(who)) return (await this.accounts.listOfEmail(tx, normalEmail(who))).map(accountView);
      const row = await this.accounts.find(tx, who);
      return row ? [accountView(row)] : [];
    });
  }

  grant(userId: string): Promise<AccountView> {
    return this.database.system('make an operator', (tx) => this.changes.grant(tx, this.ctx, userId));
  }

  async revoke(userId: string): Promise<AccountView> {
    const revoke = this.database.system('take back the rights of an operator', (tx) =>
      this.changes.revoke(tx, this.ctx, userId),
    );
    return (await revoke).account;
  }

  /** Of operators too, and of those who signed in at the company alone until now. */
  resetPassword(userId: string): Promise<PasswordResetView> {
    return this.database.system('issue a reset of a password', async (tx) => {
      await this.changes.getLocked(tx, userId);
      return this.tokens.issue(tx, this.ctx, userId, new Date());
    });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
