/** A name or an address, and a port: nothing else that a URL, or a quoted text in a header, could hold in its place. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

export const isAuthority = (host: string): boolean => AUTHORITY.test(host);
