import { Controller, Delete, Get, Patch, Post, Put, type Type } from '@nestjs/common';
import {
  type CallContract,
  type Ctx,
  isListOf,
  isPageOf,
  type Items,
  type Page,
  type PageRequest,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';
import { ok, page } from './success-response';
import { Caller } from './caller.decorator';
import { Endpoint } from './endpoint.decorator';
import { partsOf, type PlainCall, requestOf } from './request-mapping';
import { OptionalCaller } from './optional-caller.decorator';

const METHODS = { GET: Get, POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete };

/** The routes of operations whose contracts say where they are found over HTTP: each is the call, and nothing else. */
export const contractRoutes = (calls: Readonly<Record<string, CallContract>>): Type[] =>
  Object.values(calls).filter(isPlain).map(controllerOf);

const isPlain = (contract: CallContract): contract is PlainCall => contract.http !== undefined;

/** A controller as it would be written by hand: the gate, the pipes and the OpenAPI document see no difference. */
function controllerOf(contract: PlainCall): Type {
  const { name, method, path, status, summary, description, tag, deprecated } = contract.http;
  const parts = partsOf(contract);
  const Route = METHODS[method];

  @Controller()
  class PlainController {
    constructor(private readonly bus: Bus) {}

    @Route(`api${path}`)
    @Endpoint({ operationId: name, summary, description, calls: contract, status, tag, deprecated })
    async answer(ctx: Ctx, ...values: unknown[]): Promise<object> {
      const request = requestOf(parts, values);
      return answerOf(contract, request, await this.bus.call(contract, ctx, request));
    }
  }

  const { prototype } = PlainController;
  const Asking = contract.access === 'public' ? OptionalCaller : Caller;
  Asking()(prototype, 'answer', 0);
  parts.forEach(({ decorate }, at) => {
    decorate(prototype, 'answer', at + 1);
  });
  Reflect.defineMetadata('design:paramtypes', [Object, ...parts.map(({ type }) => type)], prototype, 'answer');
  return PlainController;
}

function answerOf({ http, reply }: PlainCall, request: PageRequest, answer: object): object {
  if (isPageOf(reply)) return page(http.message, answer as Page<unknown>, request.limit);
  if (isListOf(reply)) return ok(http.message, (answer as Items<unknown>).items);
  return ok(http.message, answer);
}
