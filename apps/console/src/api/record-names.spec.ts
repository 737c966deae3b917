/// <reference types="jest" />
import { recordName, topicOf } from './record-names';

describe('a title', () => {
  it.each([
    ['Where is my order?', 'Where is my order?'],
    ['@@tool ask_user {"kind": "text"}', ''],
    ['Refund it @@tool refund {}', 'Refund it'],
    ['mail me@@home', 'mail me@@home'],
    [null, ''],
  ])('%j has the topic %j', (title, topic) => {
    expect(topicOf(title)).toBe(topic);
  });
});

it('a turn is its agent and topic, other records are their names', () => {
  const named = (): string => 'Desk';
  const unread = (): string => '';
  expect(recordName({ kind: 'turn', name: 'Where?', agentId: 'a' }, named)).toBe('Desk: Where?');
  expect(recordName({ kind: 'turn', name: '@@tool x {}', agentId: 'a' }, named)).toBe('Desk');
  expect(recordName({ kind: 'turn', name: 'Where?', agentId: 'a' }, unread)).toBe('Where?');
  expect(recordName({ kind: 'turn', name: 'Desk', agentId: 'a' }, named)).toBe('Desk');
  expect(recordName({ kind: 'turn', name: null, agentId: 'a' }, unread)).toBe('Turn');
  expect(recordName({ kind: 'execution', name: 'Nightly', agentId: null }, named)).toBe('Nightly');
  expect(recordName({ kind: 'job', name: 'Desk', agentId: 'a' }, named)).toBe('Desk');
});
