export { ClientRequest as AskedCall, type AnswerReader } from './asked-call';
export { ClientConnection as AskedLine, MuxNotSupported as RoadNotSpoken } from './asked-line';
export { MuxClient as RoadClient } from './road-client';
export { MuxServer as RoadServer } from './road-server';
export { ServedCall } from './served-call';
