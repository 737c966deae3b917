import { hkdfSync } from 'node:crypto';
import type { GatewayConfig } from '../../gateway.config';

/** What clients carry between their requests is sealed with this: the same in every replica, and of use for nothing else. */
export const mcpSecret = (config: GatewayConfig): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', config.SERVICE_PRIVATE_KEY, '', 'switchyard mcp', 32));
