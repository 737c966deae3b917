import type { components } from './schema';

/** The records of the API by their names in the OpenAPI document. */
export type Schemas = components['schemas'];

/** What a delete answers. */
export type Deleted = Schemas['Deleted'];
