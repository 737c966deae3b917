import { searchOf, text } from '../../api/search';

export const tasksSearch = searchOf({ q: text });
