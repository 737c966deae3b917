import { newId } from '@switchyard/kernel';
import type { Client } from '@switchyard/testing';

export interface Route {
  method: string;
  /** As in the OpenAPI document, with `{name}` parameters. */
  template: string;
  /** With a fresh UUID for every parameter that is not given. */
  path: string;
  public: boolean;
  role: 'VIEWER' | 'MEMBER' | 'ADMIN' | 'OWNER';
  scope: string | null;
  systemKey: 'no' | 'also' | 'only';
  /** The scope of a route for operators alone. */
  operator?: 'operator:read' | 'operator:write' | 'operator:nats';
  /** Needs a person who has just signed in. */
  strong?: boolean;
  takesBody: boolean;
}

interface Operation {
  'x-access': Pick<Route, 'public' | 'role' | 'scope' | 'systemKey' | 'operator' | 'strong'>;
  requestBody?: object;
}

/** Every route of the platform, from its own document. */
export async function routesOf(client: Client, given: Record<string, string> = {}): Promise<Route[]> {
  const { body } = await client.raw('GET', '/openapi.json');
  const { paths } = body as unknown as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      path: template.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? newId()),
      ...operation['x-access'],
      takesBody: operation.requestBody !== undefined,
    })),
  );
}

export const nameOf = (route: Route): string => `${route.method} ${route.template}`;
