import { createHash } from 'node:crypto';
import type { ApprovalRule } from '@switchyard/contracts';
import { approverOf, digestOf } from './approval-matching';

const approver = (rules: ApprovalRule[], args: object = {}, name = 'write_dataset'): string | null =>
  approverOf(rules, { name, arguments: args });
const when = (filter: object): ApprovalRule[] => [{ tool: 'write_dataset', when: filter as never }];

describe('the approval of a call', () => {
  it.each([
    ['write_dataset', 'write_dataset', true],
    ['write_dataset', 'query_dataset', false],
    ['*', 'anything', true],
    ['*', 'ask_user', false],
    ['ask_user', 'ask_user', false],
    ['mail__*', 'mail__send', true],
    ['mail__*', 'mai', false],
    ['*__delete*', 'files__delete_all', true],
    ['a*a', 'a', false],
    ['a*b*c', 'abc', true],
  ])('by the rule %s for %s is %s', (tool, name, needed) => {
    expect(approver([{ tool }], {}, name)).toBe(needed ? 'USER' : null);
  });

  it('is given by the stricter of several rules', () => {
    expect(
      approver([
        { tool: '*', by: 'ADMIN' },
        { tool: 'write_dataset', by: 'USER' },
      ]),
    ).toBe('ADMIN');
    expect(approver([{ tool: 'write_dataset' }, { tool: 'write*', by: 'ADMIN' }])).toBe('ADMIN');
    expect(approver([{ tool: 'query_dataset', by: 'ADMIN' }, { tool: 'write_dataset' }])).toBe('USER');
  });

  it.each([
    [{ amount: { gt: 100 } }, { amount: 101 }, true],
    [{ amount: { gt: 100 } }, { amount: 100 }, false],
    [{ amount: { gt: 100 } }, {}, true],
    [{ amount: { gt: 100 } }, { amount: '5' }, true],
    [{ amount: { gt: 100 } }, { amount: null }, true],
    [{ operation: 'delete' }, { operation: 'insert' }, false],
    [{ operation: 'delete' }, { operation: ['delete'] }, true],
    [{ operation: ['delete', 'update'] }, { operation: 'update' }, true],
    [{ operation: ['delete', 'update'] }, { operation: 'query' }, false],
    [{ count: 100 }, { count: '100' }, true],
    [{ to: { contains: '@' } }, { to: { a: 1 } }, true],
    [{ 'order.total': { gte: 10 } }, { order: { total: 9 } }, false],
    [{ 'order.total': { gte: 10 } }, { order: { total: 10 } }, true],
    [{ 'order.total': { gte: 10 } }, { order: 3 }, true],
    [{ 'order.total': { gte: 10 } }, { 'order.total': 9 }, false],
    [{ 'order.total': { gte: 10 } }, { 'order.total': 99, order: { total: 1 } }, true],
    [{ 'a.b': { exists: true } }, { 'a.b': 1, a: { b: 1 } }, true],
    [{ 'a.b': { exists: false } }, { 'a.b': 1, a: { b: 1 } }, true],
    [{ 'a.b': { eq: 2 } }, { 'a.b': 1, a: { b: 1 } }, true],
    [{ not: { 'a.b': 1 } }, { 'a.b': 1, a: { b: 1 } }, true],
    [{ amount: { in: [100, 'all'] } }, { amount: '100' }, true],
    [{ amount: { in: [100, 'all'] } }, { amount: 5 }, true],
    [{ amount: { in: [100, 200] } }, { amount: 5 }, false],
    [{ amount: { nin: [100, 'all'] } }, { amount: 100 }, false],
    [{ ids: { contains: 7 } }, { ids: ['7'] }, true],
    [{ ids: { contains: 7 } }, { ids: [1, '7'] }, true],
    [{ ids: { contains: 7 } }, { ids: [1, 2] }, false],
    [{ ids: { contains: 7 } }, { ids: [] }, false],
    [{ not: { safe: true } }, { safe: true }, false],
    [{ not: { safe: true } }, { safe: false }, true],
    [{ not: { safe: true } }, {}, true],
    [{ and: [{ a: 1 }, { b: 1 }] }, { a: 2 }, false],
    [{ or: [{ a: 1 }, { b: 1 }] }, { a: 2 }, true],
    [{ or: [{ a: 1 }, { b: 1 }] }, { a: 2, b: 2 }, false],
    [{ force: { exists: true } }, {}, false],
    [{ force: { exists: true } }, { force: false }, true],
  ])('with the filter %j of the arguments %j is %s', (filter, args, needed) => {
    expect(approver(when(filter), args)).toBe(needed ? 'USER' : null);
  });

  it('names the arguments by the digest of their canonical form', () => {
    const canonical = '{"a":[1,"ü"],"b":{"x":null,"y":1e+21}}';
    const digest = createHash('sha256').update(canonical).digest('hex');
    expect(digestOf({ b: { y: 1e21, x: null }, a: [1, 'ü'] })).toBe(digest);
    expect(digestOf({ b: { y: 1e21, x: null }, a: [1, 'u'] })).not.toBe(digest);
  });
});
