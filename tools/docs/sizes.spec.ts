import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROMPT_HOLES_MAX, SIZES, SYSTEM_PROMPT_MAX, TEMPLATE_EXPRESSIONS_MAX } from '@switchyard/contracts';

const PAGE = readFileSync(path.resolve(__dirname, '../../docs/reference/field-sizes.md'), 'utf8');
const KIB = 1024;
const shown = (bytes: number): string => (bytes % KIB ** 2 === 0 ? `${bytes / KIB ** 2} MiB` : `${bytes / KIB} KiB`);

describe('the table of sizes in docs/reference/field-sizes.md', () => {
  it.each<[string, string]>([
    ['a filter:', shown(SIZES.filter)],
    [
      'one text with templates;',
      [shown(SIZES.templateText), TEMPLATE_EXPRESSIONS_MAX.toLocaleString('en'), shown(SIZES.steps)].join('; '),
    ],
    ['`metadata`;', [shown(SIZES.metadata), shown(SIZES.defaultInputs)].join('; ')],
    [
      '`systemPrompt`;',
      [`${SYSTEM_PROMPT_MAX.toLocaleString('en')} characters`, PROMPT_HOLES_MAX, shown(SIZES.filledPrompt)].join('; '),
    ],
    ['local tools,', shown(SIZES.agentList)],
    ['a JSON Schema ', shown(SIZES.schema)],
    ['`promptVariables`;', [shown(SIZES.promptVariables), shown(SIZES.inputs)].join('; ')],
    ['a manifest ', shown(SIZES.manifest)],
  ])('says what the contracts hold: %s', (what, limit) => {
    const row = PAGE.split('\n').find((line) => line.startsWith(`| ${what}`));
    expect(row?.split('|')[2]?.trim()).toBe(limit);
  });
});
