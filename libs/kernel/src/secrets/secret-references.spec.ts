import { FillMeter } from '../bytes/bounded-text-fill';
import {
  fillSecretReferences,
  findSecretMention,
  hasOnlyReferences,
  secretNamesIn,
  secretNamesInJson,
} from './secret-references';

describe('references to secrets', () => {
  it('are found by name, each once', () => {
    expect(secretNamesIn('Bearer {{ secrets.A }} {{secrets.b_2}} {{  secrets.A  }} {{ execution.inputs.x }}')).toEqual([
      'A',
      'b_2',
    ]);
    expect(secretNamesInJson({ a: ['{{ secrets.A }}'], b: { c: '{{ secrets.C }}' } })).toEqual(['A', 'C']);
  });

  it.each([
    '{{ secrets.A | upper }}',
    '{{ secrets["A"] }}',
    '{{ secrets.A.b }}',
    '{{ secrets.1A }}',
    '{{\nsecrets.A }}',
  ])('are nothing else: %s', (text) => {
    expect(hasOnlyReferences(text)).toBe(false);
    expect(hasOnlyReferences(`{{ secrets.A }} ${text}`)).toBe(false);
  });

  it('are replaced without scanning the inserted values', () => {
    expect(
      fillSecretReferences(
        'a {{ secrets.A }}',
        (name) => `{{ secrets.B }}$& ${name}`,
        new FillMeter({ bytes: 100 }, () => new Error('over')),
      ),
    ).toBe('a {{ secrets.B }}$& A');
  });

  it('are found wherever they stand', () => {
    expect(findSecretMention({ a: [{ '{{ secrets.X }}': 1 }] }, 'inputs')).toBe('inputs.a[0].{{ secrets.X }}');
    expect(findSecretMention({ a: 'x', b: ['{{secrets.X|y}}'] }, 'inputs')).toBe('inputs.b[0]');
    expect(findSecretMention({ a: '{{ secretsOfMine }} {{secrets}}' }, 'inputs')).toBeNull();
  });
});
