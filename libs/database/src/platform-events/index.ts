export {
  type PlatformEventTrigger,
  CALLER,
  createPlatformEventWatches,
  createPlatformEventTrigger,
  dropPlatformEventTriggers,
  statusEvents,
} from './platform-event-triggers';
