/** The client's origin, as reported by the browser and the proxy. */
export interface OriginRequest {
  origin: string | undefined;
  /** `X-Switchyard-Console`: no form and no link sends it, and a script of another origin may not. */
  mark: string | string[] | undefined;
  protocol: string;
  host: string;
  publicUrl: string | undefined;
}

/**
 * Whether a page of the console itself asks. A proxy that ends TLS and is not trusted makes the request look like plain
 * HTTP, so a page over HTTPS is ours on both; one over plain HTTP is never that of a platform under HTTPS.
 */
export function isOfConsole({ origin, mark, protocol, host, publicUrl }: OriginRequest): boolean {
  if (mark !== '1' || origin === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.origin !== origin || (page.protocol !== 'https:' && page.protocol !== 'http:')) return false;
  if (publicUrl !== undefined && URL.canParse(publicUrl) && new URL(publicUrl).origin === origin) return true;
  const isSafeScheme = page.protocol === 'https:' || page.protocol === `${protocol}:`;
  return isSafeScheme && page.host === withoutDefaultPort(host, page.protocol);
}

/** Origins leave the usual port out; a `Host` may name it. */
const withoutDefaultPort = (host: string, protocol: string): string =>
  URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`).host : host;
