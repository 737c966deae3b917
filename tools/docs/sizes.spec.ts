import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROMPT_HOLES_MAX, SIZES, SYSTEM_PROMPT_MAX, TEMPLATE_EXPRESSIONS_MAX } from '@switchyard/contracts';

const PAGE = readFileSync(path.resolve(__dirname, '../../docs/reference/field-sizes.md'), 'utf8');
const KIB = 1024;
const shown = (bytes: number): string => (bytes % KIB ** 2 === 0 ? `${bytes / KIB ** 2} MiB` : `${bytes / KIB} KiB`);

describe('the table of sizes in docs/reference/field-sizes.md', () => {
  it.each<[string, string]>([
    ['a filter:', shown(SIZES.filter)],
    ['a string with templates ', shown(SIZES.templateText)],
    ['the template expressions ', TEMPLATE_EXPRESSIONS_MAX.toLocaleString('en')],
    ['all steps ', shown(SIZES.steps)],
    ['`metadata` ', shown(SIZES.metadata)],
    ['the default `inputs` ', shown(SIZES.defaultInputs)],
    ['`systemPrompt` ', `${SYSTEM_PROMPT_MAX.toLocaleString('en')} characters`],
    ['placeholders ', String(PROMPT_HOLES_MAX)],
    ['a `systemPrompt` with ', shown(SIZES.filledPrompt)],
    ['local tools,', shown(SIZES.agentList)],
    ['a JSON Schema ', shown(SIZES.schema)],
    ['`promptVariables` ', shown(SIZES.promptVariables)],
    ['`inputs` ', shown(SIZES.inputs)],
    ['a manifest ', shown(SIZES.manifest)],
  ])('says what the contracts hold: %s', (what, limit) => {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| ${what}`));
    expect(row?.split('|')[2]?.trim()).toBe(limit);
  });
});
