import { get } from 'node:http';

/** The health check of an image: 0 while the process on the internal port (or the one in HEALTH_URL) is alive. */
const url = process.env.HEALTH_URL ?? `http://127.0.0.1:${process.env.INTERNAL_PORT ?? '8081'}/health/live`;
get(url, { timeout: 2500 }, (response) => process.exit(response.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
