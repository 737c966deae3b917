import { Field, type FieldDecorator, type Idempotency, f, fieldsOf } from '@switchyard/contracts';
import { idempotencyOf } from '../../routing/idempotency';
import type { Tool } from './tool';

/** The field of a keyed tool. */
export const KeyField = (): FieldDecorator<string, { optional: true }> =>
  Field(f.text({ min: 1, max: 255 }), {
    optional: true,
    description: 'The same key and arguments again get the first result, and nothing is done twice.',
  });

/** Of what makes something, unless the key is part of the operation's own request. */
export const isKeyed = ({ calls }: Pick<Tool, 'calls'>): boolean =>
  calls.kind === 'call' &&
  calls.idempotent !== false &&
  !fieldsOf(calls.request).some(({ name }) => name === 'idempotencyKey');

/** The key goes on beside a tool's arguments, as a route's header does. */
export function takeKey(tool: Tool, given: object): { input: object; idempotency?: Idempotency } {
  if (!isKeyed(tool)) return { input: given };
  const { idempotencyKey, ...input } = given as { idempotencyKey?: string };
  return { input, idempotency: idempotencyOf(idempotencyKey, `MCP ${tool.name}`, input) };
}
