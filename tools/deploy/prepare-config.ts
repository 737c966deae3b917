import { f } from '@switchyard/contracts';
import { Env } from '@switchyard/service';

/** Settings of the Job `migrate`, beside those of the streams. */
export class PrepareConfig {
  @Env(f.int({ min: 1 }), {
    optional: true,
    reason: 'Connections that all services together can open to Postgres. The migration warns if Postgres accepts fewer.',
  })
  DATABASE_CONNECTIONS_PLANNED?: number;
}
