import { AppError } from '@switchyard/kernel';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../gateway.config';
import { isAuthority } from '../../http/host-header';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const hostNameOf = (host: string): string | null => {
  if (!isAuthority(host)) return null;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return null;
  }
};

const originNameOf = (origin: string): string | null => {
  const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? [];
  return host === undefined ? null : hostNameOf(host);
};

function allowedHosts(config: Pick<GatewayConfig, 'ALLOWED_HOSTS' | 'PUBLIC_URL'>): Set<string> {
  const ours = config.PUBLIC_URL === undefined ? [] : [new URL(config.PUBLIC_URL).hostname];
  return new Set([...LOOPBACK, ...config.ALLOWED_HOSTS, ...ours]);
}

/**
 * A browser can be made to call a local server under a foreign name; so the name must be one of ours,
 * and a page that calls must be of an origin that was allowed.
 */
export function checkMcpCaller(
  request: Pick<FastifyRequest, 'headers'>,
  config: Pick<GatewayConfig, 'ALLOWED_HOSTS' | 'CORS_ORIGINS' | 'PUBLIC_URL'>,
): void {
  const hosts = allowedHosts(config);
  const host = hostNameOf(request.headers.host ?? '');
  if (host === null || !hosts.has(host))
    throw new AppError('FORBIDDEN', 'This host name is not served here. Name it in ALLOWED_HOSTS.');
  const { origin } = request.headers;
  if (origin === undefined || config.CORS_ORIGINS.includes(origin)) return;
  const name = originNameOf(origin);
  if (name === null || !hosts.has(name))
    throw new AppError('FORBIDDEN', 'This origin may not call. Name it in CORS_ORIGINS.');
}

/** Where the platform is reached, as the caller sees it. */
export const publicUrl = (request: FastifyRequest, config: GatewayConfig): string =>
  config.PUBLIC_URL ??
  `${request.protocol}://${request.headers.host ?? `${config.GATEWAY_HOST}:${config.GATEWAY_PORT}`}`;
