import { randomBytes } from 'node:crypto';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { actAs, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Health, Logger, Workers } from '@switchyard/service';
import { UsersRepository } from '../db/users.repository';
import { KeyConfig } from '../key.config';
import { PasswordHashing } from '../secrets/password-hashing';
import { SpacesService } from '../spaces/spaces.service';
import { UNBOUNDED } from '../tokens/me.service';
import { Accounts } from './accounts.service';

const RETRY_MS = 2000;
const NAMED = 10;

/** On the first start: one Space, and its OWNER. Later starts, and other replicas, find them there. */
@Injectable()
export class FirstOwnerBootstrap implements OnApplicationBootstrap {
  private isDone = false;

  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly passwordHashing: PasswordHashing,
    private readonly accounts: Accounts,
    private readonly spaces: SpacesService,
    private readonly config: KeyConfig,
    private readonly health: Health,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.health.add('owner', () => this.isDone, true);
    this.workers.poll('make the first Space', RETRY_MS, async () => {
      if (!this.isDone) {
        await this.run();
        await this.sayOperators();
      }
      this.isDone = true;
      return false;
    });
  }

  /** The first operator: in older installations a migration has chosen the account. */
  private async sayOperators(): Promise<void> {
    const operators = await this.database.system('name the operators', (tx) => this.users.listOperators(tx, NAMED));
    this.logger.info({ operators }, 'loaded the operators of this platform');
    const { SPACE_CREATION: creation, SPACE_OWNERS_MAY_CREDIT: ownersMayCredit } = this.config;
    if (creation === 'MEMBERS' && ownersMayCredit) this.logger.warn({}, UNBOUNDED);
  }

  private async run(): Promise<void> {
    if (await this.database.system('look for a first user', (tx) => this.users.hasAny(tx))) return;
    const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: given, BOOTSTRAP_SPACE: name } = this.config;
    const password = given ?? randomBytes(15).toString('base64url');
    const passwordHash = await this.passwordHashing.hash('bootstrap', password);

    const isFirst = await this.database.system('make the first Space', async (tx) => {
      await this.users.lockFirst(tx);
      if (await this.users.hasAny(tx)) return false;
      const spaceId = newId();
      const user = await this.accounts.create(tx, serviceCtx('key'), {
        id: newId(),
        email,
        passwordHash,
        spaceId,
        passwordByOthers: false,
        operator: true,
      });
      await this.spaces.found(tx, actAs(serviceCtx('key'), { userId: user.id }), {
        id: spaceId,
        name,
        startingTokens: this.config.INITIAL_SPACE_TOKENS,
        madeByKind: 'operator',
      });
      return true;
    });
    if (!isFirst) return;
    this.logger.info({ email }, 'created the first Space and its owner');
    // Not through the log: it takes out what looks like a secret, and it is kept.
    if (given === undefined)
      process.stdout.write(`\nFirst owner: ${email}\nPassword (shown this once): ${password}\n\n`);
  }
}
