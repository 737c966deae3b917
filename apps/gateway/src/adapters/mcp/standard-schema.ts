import { Class, schemaOf, validatorOf } from '@switchyard/contracts';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** A tool's arguments as the SDK shows them. It lets all through: `checkRequest` refuses in the words of the API. */
export const describedSchema = <T extends object>(type: Class<T>): StandardSchemaWithJSON<T, T> => {
  const { '~standard': standard } = standardSchema(type, true);
  return { '~standard': { ...standard, validate: (value) => ({ value: (value ?? {}) as T }) } };
};

/** A contract class in the form in which the MCP SDK takes schemas. Requests are closed, answers open. */
export function standardSchema<T extends object>(type: Class<T>, closed: boolean): StandardSchemaWithJSON<T, T> {
  let written: Record<string, unknown> | undefined;
  // The SDK asks for it with every list and every call.
  const json = (): Record<string, unknown> =>
    (written ??= { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schemaOf(type, { closed }) });
  return {
    '~standard': {
      version: 1,
      vendor: 'switchyard',
      validate: (value) => {
        const details = validatorOf(type, { closed })(value);
        if (!details) return { value: value as T };
        return {
          issues: details.map(({ path, message }) => ({ message: `${path} ${message}`.trim(), path: path.split('.') })),
        };
      },
      jsonSchema: { input: json, output: json },
    },
  };
}
