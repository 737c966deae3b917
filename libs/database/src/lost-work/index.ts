export {
  LOSSES_COUNT_FOR,
  LOSSES_MAX,
  LostWork,
  PROCESS,
  type LostWorkPage,
  type LostWorkRow,
  type RunningWork,
  endedInMarkedWork,
  setApart,
} from './lost-work';
