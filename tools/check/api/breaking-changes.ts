import type { JsonSchema } from '@switchyard/contracts';
import { type Documents, brokenSchema } from './broken-schema';
import { recordOf, resolved, textOf, keysOf } from './document-parts';

const ROLES = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'];

interface Operations {
  from: JsonSchema;
  to: JsonSchema;
  at: string;
  documents: Documents;
}

/** Changes between two OpenAPI documents that break a client of the first: one line each. */
export function breakingChanges(released: JsonSchema, current: JsonSchema): string[] {
  const documents = { from: released, to: current };
  const paths = recordOf(current['paths']);
  return Object.entries(recordOf(released['paths'])).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const now = recordOf(paths[path])[method];
      if (now === undefined) return [`${at}: the operation was removed`];
      return brokenOperation({ from: recordOf(operation), to: recordOf(now), at, documents });
    }),
  );
}

const brokenOperation = (operations: Operations): string[] => [
  ...brokenName(operations),
  ...brokenAccess(operations),
  ...brokenParameters(operations),
  ...brokenBody(operations),
  ...brokenAnswers(operations),
];

const brokenName = ({ from, to, at }: Operations): string[] =>
  from['operationId'] === to['operationId']
    ? []
    : [`${at}: the operation id changed from ${String(from['operationId'])} to ${String(to['operationId'])}`];

function brokenAccess({ from, to, at }: Operations): string[] {
  const [before, after] = [recordOf(from['x-access']), recordOf(to['x-access'])];
  const isSame = (name: string): boolean => before[name] === after[name];
  const isRaised = ROLES.indexOf(String(after['role'])) > ROLES.indexOf(String(before['role']));
  return [
    ...(before['public'] === true && after['public'] !== true ? [`${at}: a credential is required now`] : []),
    ...(isRaised ? [`${at}: the role ${String(after['role'])} is required now`] : []),
    ...(isSame('scope') || after['scope'] === null
      ? []
      : [`${at}: the scope ${textOf(after['scope'])} is required now`]),
    ...(isSame('operator') || after['operator'] === undefined ? [] : [`${at}: an operator is required now`]),
  ];
}

function brokenParameters({ from, to, at, documents }: Operations): string[] {
  const [before, after] = [parametersOf(documents.from, from), parametersOf(documents.to, to)];
  const removed = Object.entries(before).flatMap(([name, parameter]) => {
    const now = after[name];
    if (!now) return [`${at}: the parameter ${name} was removed`];
    const schemas = { from: recordOf(parameter['schema']), to: recordOf(now['schema']) };
    return brokenSchema({ ...schemas, at: `${at} ${name}`, isInput: true, documents });
  });
  const required = Object.entries(after)
    .filter(([name, { required: isRequired }]) => isRequired === true && before[name]?.['required'] !== true)
    .map(([name]) => `${at}: the parameter ${name} is required now`);
  return [...removed, ...required];
}

function parametersOf(document: JsonSchema, operation: JsonSchema): Record<string, JsonSchema> {
  const list = ((operation['parameters'] ?? []) as JsonSchema[]).map((parameter) => resolved(document, parameter));
  // Path parameters are compared by the path.
  const named = list.filter((parameter) => parameter['in'] !== 'path');
  return Object.fromEntries(
    named.map((parameter) => [`${String(parameter['in'])}:${String(parameter['name'])}`, parameter]),
  );
}

function brokenBody({ from, to, at, documents }: Operations): string[] {
  const before = resolved(documents.from, recordOf(from['requestBody']));
  const after = resolved(documents.to, recordOf(to['requestBody']));
  const isRequired = after['required'] === true && before['required'] !== true;
  return [
    ...(isRequired ? [`${at}: a body is required now`] : []),
    ...brokenContent({ from: before, to: after, at: `${at} body`, documents }, true),
  ];
}

function brokenAnswers({ from, to, at, documents }: Operations): string[] {
  const [before, after] = [recordOf(from['responses']), recordOf(to['responses'])];
  return keysOf(before)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      const now = after[status];
      if (now === undefined) return [`${at}: the status ${status} was removed`];
      const answers = {
        from: resolved(documents.from, recordOf(before[status])),
        to: resolved(documents.to, recordOf(now)),
      };
      return brokenContent({ ...answers, at: `${at} ${status}`, documents }, false);
    });
}

function brokenContent({ from, to, at, documents }: Operations, isInput: boolean): string[] {
  const after = recordOf(to['content']);
  return Object.entries(recordOf(from['content'])).flatMap(([type, content]) => {
    if (after[type] === undefined) return [`${at}: the media type ${type} was removed`];
    const schemas = { from: recordOf(recordOf(content)['schema']), to: recordOf(recordOf(after[type])['schema']) };
    return brokenSchema({ ...schemas, at, isInput, documents });
  });
}
