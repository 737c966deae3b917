import { Body, Headers, Param, Query } from '@nestjs/common';
import { type CallContract, type Class, fieldsOf, type HttpRoute, Nothing } from '@switchyard/contracts';
import { AccountIdPipe } from './account-id.pipe';
import { IdPipe } from './id.pipe';
import { versionOf } from './if-match-header';
import { fieldsInPath } from './path-parameters';

/** An operation whose contract says where it is found over HTTP. */
export type PlainCall = CallContract & { http: HttpRoute };

/** One part of an HTTP request, and what it says of the operation's request. */
export interface RequestPart {
  decorate: ParameterDecorator;
  /** The class that the part is held to. */
  type: unknown;
  fields: string[];
  read(value: unknown): object;
}

/**
 * The one mapping from what HTTP carries to the fields of a request. A declaration that does not fit its request
 * throws.
 */
export function partsOf(contract: PlainCall): RequestPart[] {
  const parts = [...inPath(contract), ...ofContent(contract)];
  if (namesOf(contract.request).includes('ifVersion')) parts.push(ifMatch);
  checkParts(contract, parts);
  return parts;
}

/**
 * The request that the values of the parts come to. Each was held to its class, and no two parts give the same field.
 */
export const requestOf = (parts: RequestPart[], values: unknown[]): object =>
  parts.reduce((request, part, at) => ({ ...request, ...part.read(values[at]) }), {});

const namesOf = (type: Class): string[] => fieldsOf(type).map(({ name }) => name);

const inPath = (contract: PlainCall): RequestPart[] =>
  fieldsInPath(contract).map(({ parameter, field }) => ({
    decorate: Param(parameter, parameter === 'accountId' ? AccountIdPipe : IdPipe),
    type: String,
    fields: [field],
    read: (value) => ({ [field]: value }),
  }));

/** The query of what reads or deletes, and the body of the others. */
function ofContent({ http, request, idempotent }: PlainCall): RequestPart[] {
  const isWhole = !http.path.includes(':');
  if (http.method === 'GET' || http.method === 'DELETE') {
    const query = http.query ?? (isWhole && namesOf(request).length > 0 ? request : undefined);
    return query ? [{ decorate: Query(), type: query, fields: namesOf(query), read: (value) => value as object }] : [];
  }
  const body = http.body ?? (isWhole ? request : Nothing);
  const { bodyField } = http;
  if (bodyField !== undefined)
    return [{ decorate: Body(), type: body, fields: [bodyField], read: (value) => ({ [bodyField]: value }) }];
  // The gate has read the key already; what the operation is asked for does not hold it, unless it says so.
  const takesKey = idempotent !== 'body' || namesOf(request).includes('idempotencyKey');
  const fields = namesOf(body).filter((name) => takesKey || name !== 'idempotencyKey');
  return [{ decorate: Body(), type: body, fields, read: takesKey ? (value) => value as object : withoutKey }];
}

function withoutKey(value: unknown): object {
  const { idempotencyKey: _, ...rest } = value as { idempotencyKey?: string };
  return rest;
}

const ifMatch: RequestPart = {
  decorate: Headers('if-match'),
  type: String,
  fields: ['ifVersion'],
  read: (value) => ({ ifVersion: versionOf(value) }),
};

function checkParts({ subject, request }: PlainCall, parts: RequestPart[]): void {
  const given = parts.flatMap(({ fields }) => fields);
  const names = namesOf(request);
  const twice = given.filter((name, at) => given.indexOf(name) !== at);
  const unknown = given.filter((name) => !names.includes(name));
  const missing = fieldsOf(request).filter(({ name, options }) => !options.optional && !given.includes(name));
  const wrong = [...twice, ...unknown, ...missing.map(({ name }) => name)];
  if (wrong.length > 0) throw new Error(`the route of ${subject} does not give each once: ${wrong.join(', ')}`);
}
