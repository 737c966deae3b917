import 'reflect-metadata';
import { ERROR_STATUS } from '@switchyard/kernel';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { controllersOf } from '../../apps/gateway/src/openapi/controllers-of';
import { operationsOf } from '../../apps/gateway/src/openapi/list-operations';

export interface Route {
  /** `POST /api/agents/{agentId}/chat` */
  name: string;
  method: string;
  path: string;
  /** Its success statuses and its own refusals. */
  statuses: number[];
}

/** Every documented route of the gateway, read off its controllers. */
export function documentedRoutes(): Route[] {
  const routes = controllersOf(GatewayModule).flatMap((controller) =>
    operationsOf(controller)
      .filter(({ endpoint, method }) => !endpoint.hidden && method !== 'all')
      .map(({ endpoint, method, path }) => {
        const refusals = endpoint.errors.map((code) => ERROR_STATUS[code]);
        const others = (endpoint.also ?? []).map(({ status }) => status);
        const statuses = [
          endpoint.status ?? 200,
          ...others,
          ...(endpoint.access === 'public' ? [] : [401]),
          ...refusals,
        ];
        const name = `${method.toUpperCase()} ${path}`;
        return { name, method: method.toUpperCase(), path, statuses: [...new Set(statuses)].sort((a, b) => a - b) };
      }),
  );
  return [...new Map(routes.map((route) => [route.name, route])).values()].sort((a, b) =>
    a.path + a.method < b.path + b.method ? -1 : 1,
  );
}

/** The route that a concrete path belongs to: the one with the fewest parameters that fits. */
export function routeOf(routes: readonly Route[], method: string, path: string): Route | undefined {
  const fitting = routes.filter((route) => route.method === method && patternOf(route.path).test(normal(path)));
  return fitting.sort((a, b) => parameters(a.path) - parameters(b.path))[0];
}

const parameters = (path: string): number => path.split('{').length;

/** Without the version, which may stand before or behind `/api`. */
const normal = (path: string): string =>
  path.startsWith('/models/') ? path : path.replace(/^\/v\d{1,3}(?=\/)/, '').replace(/^\/api\/v\d{1,3}(?=\/)/, '/api');

const patternOf = (path: string): RegExp => {
  const parts = path
    .split('/')
    .map((part) =>
      part === '{path}' ? '.+' : part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${parts.join('/')}$`);
};
