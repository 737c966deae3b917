import { hkdfSync } from 'node:crypto';
import type { GatewayConfig } from '../../gateway.config';

/** Seals state that clients carry between requests: the same key in every replica, used for nothing else. */
export const mcpSecret = (config: GatewayConfig): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', config.SERVICE_PRIVATE_KEY, '', 'switchyard mcp', 32));
