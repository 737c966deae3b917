import { type CallContract, fieldsOf } from '@switchyard/contracts';

/** Public names of path parameters: a parameter without a field of its name is `id`. */
export function fieldsInPath(contract: Pick<CallContract, 'http' | 'request'>): { parameter: string; field: string }[] {
  const fields = new Set(fieldsOf(contract.request).map(({ name }) => name));
  const parameters = contract.http?.path.matchAll(/:(\w+)/g) ?? [];
  return [...parameters].map(([, parameter = '']) => ({ parameter, field: fields.has(parameter) ? parameter : 'id' }));
}
