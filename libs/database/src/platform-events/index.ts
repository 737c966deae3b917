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
  withoutName,
} from './platform-event-triggers';
