import { scripts } from '../../package.json';

describe('npm start', () => {
  it('replaces the shell of npm, which would not pass a SIGTERM on to the launcher', () => {
    expect(scripts.start).toMatch(/^exec node /);
  });
});
