import type { Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { Class } from '@switchyard/contracts';
import { EndpointOptions, endpointOf } from '../routing/endpoint.decorator';
import { IdPipe } from '../routing/id.pipe';
import { ARGUMENT, argumentsOf } from '../routing/handler-arguments';

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'all', 'options', 'head'];

export interface Operation {
  method: string;
  /** With `{name}` parameters. */
  path: string;
  name: string;
  controller: string;
  endpoint: EndpointOptions;
  body?: Class;
  query?: Class;
  /** Path parameters that must be UUIDs. */
  ids: string[];
  /** The request headers that it reads by name, in lower case. */
  headers: string[];
}

const isContractClass = (type: unknown): type is Class =>
  typeof type === 'function' && ![Object, String, Number, Boolean, Array, Promise].includes(type as never);

function pathsOf(controller: Type, handler: object): string[] {
  const list = (value: unknown): string[] =>
    Array.isArray(value) ? (value as string[]) : [typeof value === 'string' ? value : ''];
  const prefixes = list(Reflect.getMetadata(PATH_METADATA, controller));
  const suffixes = list(Reflect.getMetadata(PATH_METADATA, handler));
  return prefixes.flatMap((prefix) =>
    suffixes.map((suffix) => `/${prefix}/${suffix}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')),
  );
}

/** The operations of a controller, read from the same metadata that Nest makes its routes of. */
export function operationsOf(controller: Type): Operation[] {
  const prototype = controller.prototype as Record<string, object>;
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return names.flatMap((name) => {
    const handler = prototype[name];
    const endpoint = handler && endpointOf(handler);
    if (!handler || !endpoint) return [];
    const method = METHODS[(Reflect.getMetadata(METHOD_METADATA, handler) as number | undefined) ?? 0] ?? 'get';
    const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[];
    const args = argumentsOf(controller, name);
    const classOf = (kind: number): Class | undefined => {
      const argument = args.find((arg) => arg.kind === kind && arg.data === undefined);
      const type = argument && types[argument.index];
      return isContractClass(type) ? type : undefined;
    };
    const namesOf = (kind: number): string[] =>
      args.flatMap((arg) => (arg.kind === kind && arg.data !== undefined ? [arg.data] : []));
    return pathsOf(controller, handler).map((path) => ({
      method,
      path: path.replace(/:(\w+)/g, '{$1}').replace(/\*(\w*)$/, (_, name: string) => `{${name || 'path'}}`),
      name,
      controller: controller.name,
      endpoint,
      body: classOf(ARGUMENT.BODY),
      query: classOf(ARGUMENT.QUERY),
      ids: args.flatMap((arg) =>
        arg.kind === ARGUMENT.PARAM && arg.data && arg.pipes.includes(IdPipe) ? [arg.data] : [],
      ),
      headers: namesOf(ARGUMENT.HEADERS),
    }));
  });
}
