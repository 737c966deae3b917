const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i;

const partsOf = (url: string): { before: string; hosts: string; after: string } => {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  return { before: before ?? '', hosts: hosts ?? '', after: after ?? '' };
};

/** One URL for each host of a libpq multi-host URL: `postgres://me:word@one:5432,two:5432/name`. */
export function serverUrls(url: string): string[] {
  const { before, hosts, after } = partsOf(url);
  if (!hosts.includes(',')) return [url];
  return hosts
    .split(',')
    .filter((host) => host !== '')
    .map((host) => before + host + after);
}

/** The inverse of `serverUrls`: everything but the hosts must be the same. */
export function joinServers(urls: readonly string[]): string {
  const [first = ''] = urls;
  const { before, after } = partsOf(first);
  return urls.length === 1 ? first : before + urls.map((url) => partsOf(url).hosts).join(',') + after;
}

/** Any of them, for login, database and settings. */
export const firstServer = (url: string): string => serverUrls(url)[0] ?? url;
