import 'reflect-metadata';
import { jsonBytes, matchesFilter, newId, parseFilter } from '@switchyard/kernel';
import { CreateAgent } from './agent/agent-record';
import { checkApprovals } from './agent/approvals';
import { checkPrompt, promptValues, renderPrompt } from './agent/prompt';
import { InstallApplication } from './event-bus/applications';
import { checkRequest } from './fields/validate';
import { PROMPT_HOLES_MAX, SIZES } from './input-size-limits';
import { CreateTask } from './task/task-requests';

/** CPU time of this process: wall time depends on the load of the machine. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Ten times what a process needs: jest makes access to globals slow. */
const MAX_MS = 1000;
/** As many values as fit: small values are the most expensive ones. */
const crowded = (bytes: number): Record<string, unknown> => ({
  a: Array.from({ length: Math.floor((bytes - 8) / 2) }, () => 1),
});
/** The most conditions that a filter may have. */
const filterOf = (bytes: number): Record<string, unknown> => ({
  or: Array.from({ length: 500 }, (_, n) => ({ [`a.b.c${n % 10}`]: { ne: 'x'.repeat(Math.floor(bytes / 500) - 21) } })),
});
const tool = { name: 't', description: '', parameters: crowded(SIZES.schema) };
const filter = filterOf(SIZES.filter);
const payload = { a: { b: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`c${n}`, 'xxxx'])) } };
const approvals = Array.from({ length: 15 }, () => ({ tool: '*', when: filter }));
const prompt = '{{a}}'.repeat(PROMPT_HOLES_MAX).padEnd(200_000, '{');
const agent = {
  name: 'A',
  model: 'm',
  systemPrompt: 'x'.repeat(200_000),
  localTools: Array.from({ length: 3 }, () => tool),
  approvals,
  promptVariables: [{ name: 'a', default: crowded(SIZES.promptVariables - 100) }],
  responseSchema: crowded(SIZES.schema),
  metadata: crowded(SIZES.metadata),
};
const task = {
  name: 'T',
  steps: Array.from({ length: 3 }, (_, n) => ({ id: `s${n}`, type: 'transform', with: crowded(85_000) })),
  inputs: crowded(SIZES.defaultInputs),
  metadata: crowded(SIZES.metadata),
};
const events = Array.from({ length: 15 }, (_, n) => ({ name: `e${n}`, schema: crowded(SIZES.schema) }));
const manifest = { identifier: 'a', name: 'A', version: '1.0.0', events };

describe('the largest definition that is accepted of each kind', () => {
  it.each<[string, () => unknown]>([
    [
      'a filter',
      () => {
        const parsed = parseFilter(filter);
        for (let n = 0; n < 10; n += 1) matchesFilter(parsed, payload);
      },
    ],
    ['approvals', () => checkApprovals(approvals, 'approvals')],
    [
      'a prompt',
      () => {
        checkPrompt(prompt);
        renderPrompt(prompt, promptValues([{ name: 'a' }], { a: 'x'.repeat(1700) }, { strict: true }));
      },
    ],
    ['an agent', () => checkRequest(CreateAgent, agent)],
    ['a task', () => checkRequest(CreateTask, task)],
    ['a manifest', () => checkRequest(InstallApplication, { manifest })],
  ])('%s is judged in a moment', (_, work) => {
    // Compiles at first use, once for the process.
    work();
    expect(cpuMs(work)).toBeLessThan(MAX_MS);
  });

  it('is about as large as it may be', () => {
    expect(jsonBytes(filter)).toBeGreaterThan(SIZES.filter * 0.9);
    expect(jsonBytes(approvals)).toBeGreaterThan(SIZES.agentList * 0.85);
    expect(jsonBytes(task.steps)).toBeGreaterThan(SIZES.steps * 0.9);
    expect(jsonBytes(manifest)).toBeGreaterThan(SIZES.manifest * 0.9);
  });

  it('is found in a request of its own size only', () => {
    expect(() => {
      checkRequest(CreateTask, { name: 'T', steps: [{ id: newId(), type: 'transform', with: crowded(SIZES.steps) }] });
    }).toThrow(/steps/);
  });
});
