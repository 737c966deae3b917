import { type CallContract, type Class, Field, fieldsOf } from '@switchyard/contracts';
import { fieldsInPath } from '../../routing/path-parameters';
import type { Tool } from './tool';
import { isKeyed, KeyField } from './tool-idempotency-key';

/** The tools of operations whose contracts offer them to clients of MCP: each is the call, and nothing else. */
export const contractTools = (calls: Readonly<Record<string, CallContract>>): Tool[] =>
  Object.values(calls).flatMap(toolOf);

function toolOf(contract: CallContract): Tool[] {
  if (!contract.tool) return [];
  const { name, title, description, ...hints } = contract.tool;
  // The `id` of a request is called outside as its route calls it.
  const id = fieldsInPath(contract).find(({ field }) => field === 'id')?.parameter;
  const input = id === undefined ? contract.request : withNamedId(contract.request, id);
  const inside = (given: object): object =>
    Object.fromEntries(Object.entries(given).map(([field, value]) => [field === id ? 'id' : field, value as unknown]));
  return [
    {
      name,
      title,
      description,
      calls: contract,
      hints,
      input: isKeyed({ calls: contract }) ? withKey(input) : input,
      output: contract.reply,
      run: (given, { bus, ctx }) => bus.call(contract, ctx, inside(given)),
    },
  ];
}

function withNamedId(request: Class, id: string): Class {
  class Arguments {}
  for (const { name, spec, options } of fieldsOf(request))
    (Field(spec, options) as PropertyDecorator)(Arguments.prototype, name === 'id' ? id : name);
  return Arguments;
}

function withKey(request: Class): Class {
  class KeyedArguments extends request {
    @KeyField() idempotencyKey?: string;
  }
  return KeyedArguments;
}
