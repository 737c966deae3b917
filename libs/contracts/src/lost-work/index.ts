export * from './lost-work';
