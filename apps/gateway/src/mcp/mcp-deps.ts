import type { Bus } from '@switchyard/messaging';
import type { Logger } from '@switchyard/service';

/** What a tool, a resource or a prompt needs of the gateway. */
export interface McpDeps {
  bus: Bus;
  logger: Logger;
}
