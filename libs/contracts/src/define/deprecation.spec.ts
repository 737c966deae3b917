import { allContracts } from '../all-contracts';
import { deprecationFault } from './deprecation';

const GOOD = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use `getTask`.' };

describe('a deprecation', () => {
  it('gives clients a year, and names what to use', () => {
    expect(deprecationFault(GOOD)).toBeNull();
  });

  it.each([
    [{ sunset: '2028-01-30' }, 'sunset is less than a year after since'],
    [{ since: 'January' }, 'since and sunset are days such as 2027-01-31'],
    [{ sunset: '2028-13-01' }, 'since and sunset are days such as 2027-01-31'],
    [{ instead: 'getTask' }, 'instead is a sentence'],
  ])('with %j is refused', (change, fault) => {
    expect(deprecationFault({ ...GOOD, ...change })).toBe(fault);
  });

  it('of an operation of the API is a good one', () => {
    const faults = allContracts().flatMap((contract) => {
      if (contract.kind !== 'call' || !contract.http?.deprecated) return [];
      const fault = deprecationFault(contract.http.deprecated);
      return fault === null ? [] : [`${contract.subject}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });
});
