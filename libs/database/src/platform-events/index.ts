export {
  type PlatformEventTrigger,
  ACTION,
  CALLER,
  changeEvents,
  createPlatformEventWatches,
  createPlatformEventTrigger,
  dropPlatformEventTriggers,
  installPlatformEvents,
  removePlatformEvents,
  statusEvents,
} from './platform-event-triggers';
