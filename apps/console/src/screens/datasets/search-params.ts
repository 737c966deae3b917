import { json, searchOf, text } from '../../api/search-params';

export const datasetsSearch = searchOf({ q: text });

/** The filter is JSON, so that the URL holds it as the API takes it. */
export const recordsSearch = searchOf({ q: text, by: text, sort: text, filter: json });
