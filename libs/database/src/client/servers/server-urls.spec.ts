import { serviceUrl } from '../../migrations/roles';
import { firstServer, joinServers, serverUrls } from './server-urls';

const several = 'postgres://me:a%40b@one:5432,two,[::1]:5433/name?sslmode=verify-full';

describe('addresses with several servers', () => {
  it('are one address per server', () => {
    expect(serverUrls(several)).toEqual([
      'postgres://me:a%40b@one:5432/name?sslmode=verify-full',
      'postgres://me:a%40b@two/name?sslmode=verify-full',
      'postgres://me:a%40b@[::1]:5433/name?sslmode=verify-full',
    ]);
    expect(joinServers(serverUrls(several))).toBe(several);
  });

  it.each(['postgres://me:a,b@one/name', 'postgres://one/name?options=-c%20a=b,c', 'postgresql://one', '/var/run x'])(
    'leave %s as it is',
    (url) => {
      expect(serverUrls(url)).toEqual([url]);
      expect(joinServers([url])).toBe(url);
      expect(firstServer(url)).toBe(url);
    },
  );

  it('keep all of them for the login of a service', () => {
    expect(serviceUrl(several, { service: 'event-bus', password: 'p/w' })).toBe(
      'postgres://name_event_bus:p%2Fw@one:5432,two,[::1]:5433/name?sslmode=verify-full',
    );
  });
});
