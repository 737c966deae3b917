import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CATALOGUE, REFUSED_PATH } from './request-path';
import type { ApiRequest } from './api-request';

interface Path {
  url: string;
  methods: Set<string>;
  pattern: RegExp;
  rank: string;
}

const ROUTE_CONFIG = '__fastify_route_config__';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const isWildcard = (part: string): boolean => part.startsWith('*');

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) =>
        part.startsWith(':') ? '[^/]+' : isWildcard(part) ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/')}$`,
  );

/** Of two paths that fit a target, the router takes the one whose rank sorts first: literal, parameter, wildcard. */
const rankOf = (url: string): string =>
  url
    .split('/')
    .map((part) => (isWildcard(part) ? '2' : part.startsWith(':') ? '1' : '0'))
    .join('');

/** The router also takes an empty last part for a parameter, and no method has anything there. */
const isEmptyIn = ({ params }: FastifyRequest): boolean =>
  Object.entries(params as object).some(([name, value]) => name !== '*' && value === '');

/** Paths are equal regardless of parameter names. */
export const shapeOf = (url: string): string => url.replace(/:\w+/g, ':');

/** Whether its caller must not learn of the route at `url`. */
type IsHidden = (request: FastifyRequest, url: string) => boolean;

/** All paths of the door, collected as they are made: tells an unknown path from a known one with another method. */
@Injectable()
export class RouteTable {
  private readonly paths = new Map<string, Path>();
  private ranked: Path[] = [];
  private isHidden: IsHidden = () => false;

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const { url, method } = route;
      // Nest hands the config of a handler on only where the handler takes one method.
      const config = Reflect.getMetadata(ROUTE_CONFIG, route.handler) as object | undefined;
      if (config) route.config = { ...route.config, ...config };
      const methods = Array.isArray(method) ? method : [method];
      const shape = shapeOf(url);
      const path = this.paths.get(shape) ?? { url, methods: new Set(), pattern: patternOf(url), rank: rankOf(url) };
      for (const each of methods) path.methods.add(each);
      this.paths.set(shape, path);
    });
  }

  /**
   * To be called when all routes are made. Each path gets an answer for the methods that it does not take: the router
   * keeps a tree per method, and would else find the neighbour with a parameter in the place of its last word.
   * `isHidden` tells of a path that its caller must not learn of.
   */
  complete(fastify: FastifyInstance, isHidden: IsHidden = () => false): void {
    const paths = [...this.paths.values()].map((path) => ({ ...path, methods: new Set(path.methods) }));
    this.isHidden = isHidden;
    this.ranked = paths.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    for (const { url, methods } of paths) {
      const handler = (request: FastifyRequest): never => {
        throw isEmptyIn(request) || isHidden(request, url) ? nothingHere() : refusalAt(request.url, methods);
      };
      const method = METHODS.filter((each) => !methods.has(each));
      if (method.length > 0) fastify.route({ method, url, handler, exposeHeadRoute: false });
    }
  }

  /** Why nothing answered: the target is malformed, the method is another one, or there is no such path. */
  refusal(request: ApiRequest): AppError {
    if (request.url.startsWith(REFUSED_PATH)) return new AppError('VALIDATION_ERROR', 'The path is not well-formed.');
    const target = request.url.split('?')[0] ?? '';
    const path = this.ranked.find(({ pattern }) => pattern.test(target));
    return path && !this.isHidden(request, path.url) ? refusalAt(target, path.methods) : nothingHere();
  }
}

export const nothingHere = (): AppError => new AppError('NOT_FOUND', 'There is nothing at this path.');

/** A wrong method under these paths is 404 and not 405: an `Allow` header would show that the route exists. */
const OF_OPERATORS = /^\/api\/operator(?:\/|$)/;

/** The relay's wildcard takes an empty rest too, for which the relay has no path. */
const EMPTY_OF_RELAY = /^\/models\/v1\/(?:\?|$)/;

const refusalAt = (target: string, methods: ReadonlySet<string>): AppError =>
  OF_OPERATORS.test(target) || EMPTY_OF_RELAY.test(target) ? nothingHere() : notAllowed(methodsAt(target, methods));

const READ_ONLY = new Set(['GET', 'HEAD']);

const methodsAt = (target: string, methods: ReadonlySet<string>): ReadonlySet<string> =>
  CATALOGUE.test(target) ? READ_ONLY : methods;

function notAllowed(methods: ReadonlySet<string>): AppError {
  const allow = [...methods].sort().join(', ');
  return new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
}
