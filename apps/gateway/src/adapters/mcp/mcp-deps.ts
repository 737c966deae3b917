import type { Bus } from '@switchyard/messaging';
import type { Logger } from '@switchyard/service';
import type { ActiveResponses } from '../../auth/active-responses';

/** Gateway services that tools, resources and prompts use. */
export interface McpDeps {
  bus: Bus;
  logger: Logger;
  /** Ends a tool's run with the credential that asked for it. */
  streams: ActiveResponses;
  /** Where people answer what waits for them. */
  consoleUrl: string;
  /** The largest payload of an event, in bytes of JSON. */
  payloadMaxBytes: number;
  /** Seals what a client carries from one request to the next. */
  secret: Uint8Array;
}
