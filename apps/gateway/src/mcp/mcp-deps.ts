import type { Bus } from '@switchyard/messaging';
import type { Logger } from '@switchyard/service';

/** What a tool, a resource or a prompt needs of the gateway. */
export interface McpDeps {
  bus: Bus;
  logger: Logger;
  /** Seals what a client carries from one request to the next. */
  secret: Uint8Array;
}
