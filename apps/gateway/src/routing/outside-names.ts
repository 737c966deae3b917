import { type CallContract, fieldsOf } from '@switchyard/contracts';

/** What callers from outside call the fields that a path gives: a parameter without a field of its name is the `id`. */
export function fieldsInPath(contract: Pick<CallContract, 'http' | 'request'>): { parameter: string; field: string }[] {
  const known = new Set(fieldsOf(contract.request).map(({ name }) => name));
  const parameters = contract.http?.path.matchAll(/:(\w+)/g) ?? [];
  return [...parameters].map(([, parameter = '']) => ({ parameter, field: known.has(parameter) ? parameter : 'id' }));
}
