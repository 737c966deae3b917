import { AgentSummary, AgentView, fieldsOf } from '@switchyard/contracts';
import { agentFields } from './agent-fields';
import { applyChanges } from './agent-changes';
import { type AgentRecord, emptyBody, listedBody, summaryOf, viewOf, wholeBody } from './stored-agent';

const namesOf = (type: typeof AgentSummary): string[] => fieldsOf(type).map(({ name }) => name);

const record: AgentRecord = {
  ...emptyBody('a', 'm', 'p'),
  id: '1',
  system: false,
  version: 1,
  createdBy: null,
  createdAt: 'then',
  updatedAt: 'then',
  secrets: { server: 'sealed' },
};

it('shows the fields of the contract, and no secret', () => {
  const optional = ['oversized', 'uncheckedFormats'];
  expect(Object.keys(viewOf(record)).sort()).toEqual(
    namesOf(AgentView)
      .filter((name) => !optional.includes(name))
      .sort(),
  );
  expect(Object.keys(summaryOf(record)).sort()).toEqual(
    namesOf(AgentSummary)
      .filter((name) => !optional.includes(name))
      .sort(),
  );
});

it('leaves out of lists what a summary does not have', () => {
  const summary = namesOf(AgentSummary);
  expect(agentFields.large).toEqual(agentFields.names.filter((name) => !summary.includes(name)));
});

it('gives initial values to the fields that a stored body lacks', () => {
  const first = {
    name: 'old',
    description: null,
    model: 'm',
    systemPrompt: 'p',
    agentType: 'TASK' as const,
    accessScope: 'SPACE' as const,
    allowedUserIds: [],
    settings: {},
    tools: [],
    knowledge: [],
    maxSteps: 3,
    fallbackModels: ['n'],
  };
  expect(wholeBody(first)).toEqual({ ...emptyBody('old', 'm', 'p'), ...first });
  expect(listedBody(first).promptVariables).toEqual([]);
  // Each body has values of its own.
  expect(wholeBody(first).approvals).not.toBe(wholeBody(first).approvals);
});

it('changes the fields given, also to null, and no other', () => {
  const body = { ...emptyBody('a', 'm', 'p'), description: 'before', maxSteps: 4 };
  const changes = { description: null, tools: ['web_search', 'web_search'], id: 'other', version: 7 };
  expect(applyChanges(body, changes as never)).toEqual({ ...body, description: null, tools: ['web_search'] });
});
