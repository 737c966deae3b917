import { searchOf, text } from '../../api/search';

export const agentsSearch = searchOf({ q: text });
