import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { NO_SPACE, type OperatorScope, type Scope, isKeyShaped, serviceCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Logger, Workers } from '@switchyard/service';
import { SecurityLog } from '../audit/security-log';
import { KeyValuesRepository } from '../db/key-values.repository';
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
      isDone ||= await this.ensure(value);
      return false;
    });
  }

  /** False until there is an operator. One that was revoked stays revoked. */
  private ensure(value: string): Promise<boolean> {
    return this.database.system('make the operator key of the NATS server', async (tx) => {
      await this.users.lockFirst(tx);
      if (await this.values.exists(tx, this.hasher.candidates(value))) return true;
      const [operator] = await this.users.listOperators(tx, 1);
      if (!operator) return false;
      const { row } = await this.issuer.issue(
        tx,
        NO_SPACE,
        {
          type: 'OPERATOR',
          name: 'Users of the NATS server of services',
          description: null,
          userId: null,
          applicationId: null,
          createdBy: operator.id,
          scopes: [SCOPE] as string[] as Scope[],
          limits: {},
          expiresAt: null,
        },
        value,
      );
      const details = { scopes: [SCOPE], expiresAt: null };
      await this.log.ofPlatform(tx, serviceCtx('key'), 'operator.key.created', { target: row.id, details });
      this.logger.info({ keyId: row.id }, 'created the operator key of the NATS server of services');
      return true;
    });
  }
}
