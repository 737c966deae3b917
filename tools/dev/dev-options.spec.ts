import { parseDevOptions } from './dev-options';

test('names one service, and the port of a debugger', () => {
  expect(parseDevOptions(['agent'])).toEqual({ service: 'agent', inspect: undefined, help: false });
  expect(parseDevOptions(['task', '--inspect=9229'])).toMatchObject({ service: 'task', inspect: 9229 });
  expect(parseDevOptions(['--help']).help).toBe(true);
});

test.each([
  [[], 'Name one service'],
  [['agent', 'task'], 'Name one service'],
  [['agents'], 'No such service: agents. There are gateway, '],
  [['agent', '--inspect=no'], '--inspect is no; it must be a port number'],
  [['agent', '--watch'], 'See npm run dev -- --help'],
])('refuses %j', (args, message) => {
  expect(() => parseDevOptions(args)).toThrow(message);
});
