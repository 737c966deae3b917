import type { SupervisedOptions } from '../processes/supervised';

/** A private server: how to run it, and where clients find it. */
export interface PrivateServer {
  url: string;
  process: SupervisedOptions;
}
