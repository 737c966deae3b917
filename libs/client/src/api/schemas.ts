import type { components } from './schema';

/** The records of the API by their names in the OpenAPI document. */
export type Schemas = components['schemas'];

/** Reply of a delete. */
export type Deleted = Schemas['Deleted'];
