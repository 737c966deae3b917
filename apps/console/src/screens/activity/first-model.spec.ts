import type { Model } from '@switchyard/client';
import { firstModel } from './first-model';

const model = (id: string, ...capabilities: string[]): Model => ({ id, capabilities }) as Model;
const BUILT_IN = [{ model: 'sim-chat' }, { model: 'sim-chat' }];

describe('the model of a first agent', () => {
  it('is that of the built-in agents, where the catalogue has it', () => {
    expect(firstModel([model('a', 'chat'), model('sim-chat', 'chat', 'tools')], BUILT_IN)).toBe('sim-chat');
  });

  it('is the first one to talk with, where the catalogue has no model of theirs', () => {
    expect(firstModel([model('e', 'embeddings'), model('a', 'chat'), model('b', 'chat')], BUILT_IN)).toBe('a');
    expect(firstModel([model('sim-chat', 'embeddings'), model('a', 'chat')], BUILT_IN)).toBe('a');
  });

  it.each([[[]], [[model('e', 'embeddings')]]])('is asked of the operator where there is none', (models) => {
    expect(() => firstModel(models, BUILT_IN)).toThrow('No model to talk with is configured.');
  });
});
