import type { Endpoints } from './endpoints';
import type { Home } from './home/home';
import type { Secrets } from './home/secrets';

/** Text in the terminal when everything has started. */
export function welcome(endpoints: Endpoints, secrets: Secrets, home: Home, seconds: string): string {
  const url = endpoints.gatewayUrl;
  const login = JSON.stringify({ email: secrets.ownerEmail, password: secrets.ownerPassword });
  return `
Switchyard is up after ${seconds} s.

  API            ${url}/api
  Console        ${url}/console
  Reference      ${url}/docs  (${url}/openapi.json)
  Health         ${url}/health/ready
  Owner          ${secrets.ownerEmail}
  Password       ${secrets.ownerPassword}
${natsApiLine(endpoints)}  Logs           ${home.logs}

A first call:

  curl -s ${url}/api/auth/login -H 'content-type: application/json' -d '${login}'

For the examples of the README, in another terminal:

  export HOST=${url} EMAIL=${quoted(secrets.ownerEmail)} PASSWORD=${quoted(secrets.ownerPassword)}

Ctrl-C stops everything.
`;
}

const natsApiLine = ({ natsApiUrl }: Endpoints): string =>
  natsApiUrl === '' ? '' : `  NATS API       ${natsApiUrl}\n`;

/** Quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
