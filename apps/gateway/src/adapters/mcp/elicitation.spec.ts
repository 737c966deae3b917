import type { InteractionView } from '@switchyard/contracts';
import { messageOf } from './elicitation';

const approval = (args: unknown): InteractionView =>
  ({
    prompt: 'The agent wants to run pay. May it?',
    purpose: 'approval',
    calls: [{ call_id: 'a', name: 'pay', source: 'local', arguments: args, digest: '' }],
  }) as unknown as InteractionView;

describe('the text of an approval over MCP', () => {
  it('is the call with all of its arguments', () => {
    expect(messageOf(approval({ to: 'mallory', amount: 100 }))).toBe(
      'The agent wants to run pay. May it?\n\npay {\n  "to": "mallory",\n  "amount": 100\n}',
    );
  });

  it('shows characters that would reverse the text', () => {
    expect(messageOf(approval({ to: 'a\u202eb' }))).toContain('a\\u202eb');
  });

  it('is empty if the arguments are too long to read', () => {
    expect(messageOf(approval({ text: 'x'.repeat(10_000) }))).toBeNull();
  });

  it('of a question is the question', () => {
    expect(messageOf({ prompt: 'Which?', purpose: 'question' } as InteractionView)).toBe('Which?');
  });
});
