import { Injectable } from '@nestjs/common';
import { AppError } from '@switchyard/kernel';
import type { FastifyInstance } from 'fastify';
import { REFUSED_PATH } from './paths';
import type { GateRequest } from './request';

interface Route {
  methods: string[];
  url: string;
  pattern: RegExp;
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) =>
        part.startsWith(':')
          ? '[^/]+'
          : part === '*' || part.startsWith('*')
            ? '.*'
            : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/')}$`,
  );

/** All routes of the door, collected as they are made: tells an unknown path from a known one with another method. */
@Injectable()
export class RouteTable {
  private readonly routes: Route[] = [];

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const methods = Array.isArray(route.method) ? route.method : [route.method];
      this.routes.push({ methods, url: route.url, pattern: patternOf(route.url) });
    });
  }

  get all(): readonly { method: string; url: string }[] {
    return this.routes.flatMap(({ methods, url }) => methods.map((method) => ({ method, url })));
  }

  /** Why nothing answered: the target is malformed, the method is another one, or there is no such path. */
  refusal(request: GateRequest): AppError {
    if (request.url.startsWith(REFUSED_PATH)) return new AppError('VALIDATION_ERROR', 'The path is not well-formed.');
    const path = request.url.split('?')[0] ?? '';
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    if (methods.length === 0) return new AppError('NOT_FOUND', 'There is nothing at this path.');
    const allow = [...new Set(methods)].sort().join(', ');
    return new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } });
  }
}
