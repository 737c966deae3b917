import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Class, fieldsOf, schemaOf, unbounded } from '@switchyard/contracts';

const SOURCES = path.resolve(__dirname, '..');
/** Response types, not requests. */
const ANSWERS = [
  'ChatAnswer',
  'ExecuteAnswer',
  'McpToolsSiblings',
  'CauseTree',
  'ContextStatusBody',
  'CompactionBody',
  'Jwks',
  'UsageRow',
  'ShownCause',
];

/** The classes of the bodies that the gateway reads itself, beside those of the contracts. */
async function bodies(): Promise<Class[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.dto.ts'));
  expect(files.length).toBeGreaterThan(5);
  const modules = await Promise.all(
    files.map(async (file) => (await import(path.join(SOURCES, file))) as Record<string, unknown>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is Class => typeof value === 'function' && fieldsOf(value as Class).length > 0)
    .filter(({ name }) => !ANSWERS.includes(name));
}

describe('the bodies that the gateway reads', () => {
  it('have no field of free form and no list without a size', async () => {
    const found = (await bodies()).flatMap((type) => unbounded(schemaOf(type), type.name));
    expect(found).toEqual([]);
  });
});
