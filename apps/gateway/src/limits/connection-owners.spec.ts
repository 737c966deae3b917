import { ConnectionOwners, type Holder } from './connection-owners';

const a: Holder = { payer: 'payer', space: 'one', credential: 'a' };
const b: Holder = { payer: 'payer', space: 'one', credential: 'b' };
const other: Holder = { payer: 'payer', space: 'two', credential: 'c' };

describe('The holders of connections', () => {
  let holders: ConnectionOwners<{ name: string }>;

  const open = (name: string, holder: Holder | null): { name: string } => {
    const connection = { name };
    holders.enter(connection, '10.0.0.1');
    if (!holder) return connection;
    holders.begin(connection);
    holders.move(connection, holder);
    holders.end(connection);
    return connection;
  };

  beforeEach(() => {
    holders = new ConnectionOwners();
  });

  it('are an address first, and then the payer, the Space and the credential of the latest request', () => {
    const connection = open('x', null);
    expect(holders.isAnonymous(connection)).toBe(true);
    expect(holders.largest).toEqual({ payer: 'address:10.0.0.1', count: 1 });
    expect([holders.move(connection, a), holders.move(connection, a)]).toEqual([true, false]);
    expect(holders.move(connection, other)).toBe(true);
    expect([holders.ofCredential(a), holders.ofSpace('two'), holders.ofPayer('payer')]).toEqual([0, 1, 1]);
    expect([...holders.counts()]).toEqual([['two', 1]]);
    holders.leave(connection);
    expect([holders.open, holders.largest.count, [...holders.counts()]]).toEqual([0, 0, []]);
  });

  it('give their idlest connection first, and one with a request in progress last', () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => open(name, a));
    expect(holders.idlestOfCredential(a)).toBe(first);
    holders.begin(first!);
    expect([holders.idlestOfCredential(a), holders.busy]).toEqual([second, 1]);
    holders.end(first!);
    holders.leave(second!);
    expect([holders.idlestOfCredential(a), holders.busy]).toEqual([third, 0]);
    for (const each of [third!, first!]) holders.begin(each);
    expect([holders.idlestOfCredential(a), holders.idlestOfPayer('payer', false)]).toEqual([third, undefined]);
    holders.leave(third!);
    expect([holders.idlestOfPayer('payer', true), holders.busy]).toEqual([first, 1]);
  });

  it('of a Space give from the credential that holds most', () => {
    open('small', a);
    const idlest = open('large', b);
    open('large', b);
    expect(holders.idlestOfSpace('one')).toBe(idlest);
  });

  it('of all Spaces of a payer count together, also when another one pays from now on', () => {
    const moved = open('x', a);
    open('y', other);
    expect([holders.ofPayer('payer'), holders.most]).toEqual([2, { address: 0, credential: 1, space: 1, payer: 2 }]);
    holders.move(moved, { ...a, payer: 'one' });
    expect([holders.ofPayer('payer'), holders.ofPayer('one')]).toEqual([1, 1]);
  });
});
