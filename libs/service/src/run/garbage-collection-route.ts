import { EventLoopMonitor } from '../event-loop/event-loop-monitor';
import { collectGarbage } from './heap-size';
import type { InternalRoutes } from '../health/internal-routes';

/**
 * `POST /garbage` collects all garbage, so that a proof can see what memory a process keeps. There only with
 * failpoints.
 */
export function serveGarbage(routes: InternalRoutes): void {
  routes.add('/garbage', (_, response) => {
    collectGarbage();
    EventLoopMonitor.excuse();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return Promise.resolve();
  });
}
