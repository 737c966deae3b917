export {
  type PlatformEventTrigger,
  createPlatformEventWatches,
  createPlatformEventTrigger,
} from './platform-event-triggers';
