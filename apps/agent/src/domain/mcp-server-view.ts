import type { McpServerInput, McpServerView } from '@switchyard/contracts';
import { secretNamesInJson } from '@switchyard/kernel';

/** A server without headers keeps those it had, as long as its requests go to the same place. */
export const keepsHeaders = (server: McpServerInput, before: McpServerView | undefined): boolean =>
  server.headers === undefined && before !== undefined && originOf(before.url) === originOf(server.url);

/** The server as it is stored and read: the names of its headers and secrets, without their values. */
export function shownServer(server: McpServerInput, before: readonly McpServerView[]): McpServerView {
  const existing = before.find((candidate) => candidate.name === server.name);
  const reused = keepsHeaders(server, existing) ? existing : undefined;
  const headerNames = server.headers ? Object.keys(server.headers) : reused?.headerNames;
  const secretNames = server.headers ? secretNamesInJson(Object.values(server.headers)) : reused?.secretNames;
  return {
    name: server.name,
    url: server.url,
    ...(secretNames && secretNames.length > 0 ? { secretNames } : {}),
    ...(headerNames && headerNames.length > 0 ? { headerNames } : {}),
    ...(server.allowedTools ? { allowedTools: server.allowedTools } : {}),
  };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
