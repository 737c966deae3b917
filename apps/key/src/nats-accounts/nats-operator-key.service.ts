import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { NO_SPACE, type OperatorScope, type Scope, isKeyShaped, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Logger, Workers } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { KeyValuesRepository } from '../db/key-values.repository';
import { OperatorKeysRepository } from '../db/operator-keys.repository';
import { UsersRepository } from '../db/users.repository';
import { KeyConfig } from '../key.config';
import { KeyIssuer } from '../keys/create-and-rotate-keys';
import { KeyHasher } from '../secrets/key-hasher';

const RETRY_MS = 2_000;
const SCOPE: OperatorScope = 'operator:nats';

/** The operator key of the process that brings users to the NATS server of services, where the setup has chosen it. */
@Injectable()
export class NatsOperatorKey implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly values: KeyValuesRepository,
    private readonly users: UsersRepository,
    private readonly keys: OperatorKeysRepository,
    private readonly issuer: KeyIssuer,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
    private readonly config: KeyConfig,
    private readonly workers: Workers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { NATS_API_OPERATOR_KEY: value } = this.config;
    if (value === undefined) return;
    if (!isKeyShaped(value)) throw new Error('NATS_API_OPERATOR_KEY is no value of an API key.');
    let isDone = false;
    this.workers.poll('make the operator key of the NATS server', RETRY_MS, async () => {
      if (!isDone) await this.ensure(value);
      isDone = true;
      return false;
    });
  }

  /** The platform is its maker, so it ends with no person's rights. One that was revoked stays revoked. */
  private ensure(value: string): Promise<void> {
    return this.database.system('make the operator key of the NATS server', async (tx) => {
      await this.users.lockFirst(tx);
      const digests = this.hasher.candidates(value);
      // Earlier versions made it in the name of the first operator.
      if (await this.values.exists(tx, digests)) return this.keys.giveToPlatform(tx, digests);
      const { row } = await this.issuer.issue(
        tx,
        NO_SPACE,
        {
          type: 'OPERATOR',
          name: 'Users of the NATS server of services',
          description: null,
          userId: null,
          applicationId: null,
          createdBy: null,
          scopes: [SCOPE] as string[] as Scope[],
          limits: {},
          expiresAt: null,
        },
        value,
      );
      const details = { scopes: [SCOPE], expiresAt: null };
      await this.log.ofPlatform(tx, serviceCtx('key'), 'operator.key.created', { target: row.id, details });
      this.logger.info({ keyId: row.id }, 'created the operator key of the NATS server of services');
    });
  }
}
