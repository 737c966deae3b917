import { recordedChanges } from './security-event-diff';

it('names the fields that were given, with the old and new value of those that differ', () => {
  expect(recordedChanges({ name: 'a', cap: 1, same: [1] }, { name: 'b', cap: null, same: [1], added: true })).toEqual({
    fields: ['name', 'cap', 'same', 'added'],
    changes: [
      { path: 'name', from: 'a', to: 'b' },
      { path: 'cap', from: 1, to: null },
      { path: 'added', from: null, to: true },
    ],
  });
});

it('shows a long value by its size', () => {
  const { changes } = recordedChanges({ rules: 'x'.repeat(5000) }, { rules: 'y' });
  expect(changes).toEqual([{ path: 'rules', from: { truncated: true, bytes: 5002 }, to: 'y' }]);
});
