/// <reference types="jest" />
import { fieldsOf, restOf, valueAt, withRest, withValue } from './step-shapes';

const agent = { agentId: 'a', inputs: { query: 'q', memory: true }, settings: { temperature: 0 } };

describe('a step as a form', () => {
  it('leaves what the form has no field for beside it, and puts it back as it was', () => {
    const rest = restOf('agent', agent);
    expect(rest).toEqual({ inputs: { memory: true }, settings: { temperature: 0 } });
    expect(withRest('agent', agent, rest)).toEqual(agent);
    expect(withRest('agent', agent, {})).toEqual({ agentId: 'a', inputs: { query: 'q' } });
  });

  it('has no rest where every field is in the form', () => {
    expect(restOf('agent', { agentId: 'a', inputs: { query: 'q' } })).toEqual({});
    expect(restOf('emit', { appIdentifier: 'shop', event: 'paid', payload: {} })).toEqual({});
    expect(restOf('transform', { any: 1 })).toEqual({});
    expect(restOf('wait', { seconds: 1 })).toEqual({});
  });

  it('shows the fields of its operation, and those that are there all the same', () => {
    const labels = (value: Record<string, unknown>): string[] => fieldsOf('dataset', value).map(({ label }) => label);
    expect(labels({ operation: 'insert' })).toEqual(['Dataset', 'Operation', 'Records']);
    expect(labels({ operation: 'insert', filter: {} })).toEqual(['Dataset', 'Operation', 'Records', 'Filter']);
  });

  it('takes a field away where it is emptied', () => {
    expect(withValue(agent, ['inputs', 'query'], undefined)).toEqual({ ...agent, inputs: { memory: true } });
    expect(withValue({}, ['inputs', 'query'], 'x')).toEqual({ inputs: { query: 'x' } });
    expect(valueAt({ a: { constructor: 1 } }, ['b', 'constructor'])).toBeUndefined();
  });
});
