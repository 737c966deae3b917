import { newId } from '@switchyard/kernel';
import { GatewayModule } from '../src/gateway.module';
import { controllersOf } from '../src/openapi/controllers-of';
import { OpenApiDocument } from '../src/openapi/openapi-document';

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

interface RouteOperation {
  'x-access': Pick<Route, 'public' | 'role' | 'scope' | 'systemKey' | 'operator' | 'strong'>;
  requestBody?: object;
}

/** Every route of the platform, from its own document and with the routes of the console. */
export function routesOf(given: Record<string, string> = {}): Route[] {
  const { document } = new OpenApiDocument(controllersOf(GatewayModule), { withInternal: true });
  const { paths } = document as unknown as { paths: Record<string, Record<string, RouteOperation>> };
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
