import type { EventLoopWatch } from '../event-loop/event-loop-watch';
import { collectGarbage } from './small-heap';
import type { InternalRoutes } from '../health/internal-routes';

/** `POST /garbage` collects all garbage, so that a proof can see what memory a process keeps. There only with failpoints. */
export function serveGarbage(routes: InternalRoutes, watch: EventLoopWatch): void {
  routes.add('/garbage', (_, response) => {
    collectGarbage();
    watch.excuse();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return Promise.resolve();
  });
}
