const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i;

const partsOf = (url: string): { before: string; hosts: string; after: string } => {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  return { before: before ?? '', hosts: hosts ?? '', after: after ?? '' };
};

/** One address per server of an address that names several, as libpq writes it: `postgres://me:word@one:5432,two:5432/name`. */
export function serverUrls(url: string): string[] {
  const { before, hosts, after } = partsOf(url);
  if (!hosts.includes(',')) return [url];
  return hosts
    .split(',')
    .filter((host) => host !== '')
    .map((host) => before + host + after);
}

/** The other way round: what is not the host must be the same in all. */
export function joinServers(urls: readonly string[]): string {
  const [first = ''] = urls;
  const { before, after } = partsOf(first);
  return urls.length === 1 ? first : before + urls.map((url) => partsOf(url).hosts).join(',') + after;
}

/** Any of them, where only login, database and settings matter. */
export const firstServer = (url: string): string => serverUrls(url)[0] ?? url;
