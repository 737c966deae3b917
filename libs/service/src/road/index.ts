export { AskedCall, type AnswerReader } from './asked-call';
export { AskedLine, RoadNotSpoken } from './asked-line';
export { RoadClient } from './road-client';
export { RoadServer } from './road-server';
export { ServedCall } from './served-call';
