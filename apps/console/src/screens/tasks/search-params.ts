import { searchOf, text } from '../../api/search-params';

export const tasksSearch = searchOf({ q: text });
