export { ClientRequest, type AnswerReader } from './client-request';
export { ClientConnection, MuxRefused } from './client-connection';
export { MuxConnectionPool } from './mux-connection-pool';
export { MuxServer } from './mux-server';
export { ServerRequest as ServedCall } from './server-request';
