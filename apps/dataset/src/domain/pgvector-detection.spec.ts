import { usableExtension } from './pgvector-detection';

describe('pgvector', () => {
  it.each([
    ['0.8.0', true],
    ['0.8.6', true],
    ['1.0', true],
    ['0.7.4', false],
    ['0.10.1', true],
  ])('of version %s is used: %s', (version, isUsed) => {
    const { extension } = usableExtension({ home: 'dataset', version, problem: null });
    expect(extension?.home).toBe(isUsed ? 'dataset' : undefined);
  });

  it('is not used where it is not, or may not be used, and the reason is told', () => {
    for (const found of [null, { home: null, version: null, problem: null }])
      expect(usableExtension(found)).toEqual({ extension: null, reason: expect.stringContaining('has no pgvector') });
    expect(usableExtension({ home: 'x', version: '0.8.0', problem: 'not allowed' })).toEqual({
      extension: null,
      reason: expect.stringContaining('not allowed'),
    });
  });
});
