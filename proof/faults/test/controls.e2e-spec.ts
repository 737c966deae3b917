import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from '../../../tools/launcher/processes/transient';
import { projectRoot } from '../../../tools/launcher/project-root';
import { CONTROLS, codeChanges } from '../sabotage';

const dist = path.join(projectRoot, 'dist');
const compiled = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));

const runWithout = (change: object, script: string): ReturnType<typeof runToEnd> =>
  runToEnd(process.execPath, ['--require', path.join(projectRoot, 'proof/faults/without-guard.cjs'), '-e', script], {
    env: { ...process.env, SWITCHYARD_TEST_WITHOUT: JSON.stringify(change) },
  });

/** A control that removes nothing, or something else as well, proves nothing. */
describe('a control', () => {
  const inCode = CONTROLS.flatMap((control) => {
    const code = codeChanges(control);
    return code ? [{ control, ...code }] : [];
  });

  it.each(inCode)('changes one file in as many places as it says: $control', ({ file, changes }) => {
    const files = compiled.filter((each) => each.endsWith(file));
    expect(files).toHaveLength(1);
    const text = readFileSync(path.join(dist, files[0] ?? ''), 'utf8');
    expect(changes.map(({ from }) => text.split(from).length - 1)).toEqual(changes.map(({ places: slots }) => slots));
  });

  const file = 'kernel/src/sleep.js';
  const listen = `require('node:net').createServer().listen(0, () => { console.log('listens'); process.exit(0); });`;
  const load = `require(${JSON.stringify(path.join(dist, 'libs/kernel/src/index.js'))});`;

  it('stops a service in which it finds another number of places', async () => {
    const change = { file: 'kernel/src/index.js', changes: [{ from: 'require(', to: 'require(', places: 1 }] };
    const { code, stdout, stderr } = await runWithout(change, load + listen);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/in \d+ places, the control says 1/);
  });

  it('stops a service that never loads the file before that service listens', async () => {
    const change = { file, changes: [{ from: 'x', to: 'y', places: 1 }] };
    const { code, stdout, stderr } = await runWithout(change, listen);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`0 places changed in ${file}, the control says 1`);
  });

  it('lets a service run that it changed as it says', async () => {
    const change = { file: 'kernel/src/index.js', changes: [{ from: '"use strict";', to: '', places: 1 }] };
    const { code, stdout, stderr } = await runWithout(change, load + listen);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'listens' });
    expect(stderr).toContain('1 places changed');
  });
});
