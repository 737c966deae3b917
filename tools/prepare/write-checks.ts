import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PREPARED } from '@switchyard/contracts';
import { preparedChecks } from './prepared-checks';
import { variableNamesOfServices } from './variable-names';

/** Written aside and put in place as a whole: a service that starts meanwhile finds the old ones, or compiles. */
const next = `${PREPARED}.next`;
rmSync(next, { recursive: true, force: true });
mkdirSync(next, { recursive: true });
for (const [file, text] of preparedChecks()) writeFileSync(path.join(next, file), text);
writeFileSync(path.join(next, 'variables.json'), JSON.stringify(variableNamesOfServices()));
rmSync(PREPARED, { recursive: true, force: true });
renameSync(next, PREPARED);
