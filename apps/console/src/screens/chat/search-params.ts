import { id, searchOf, text } from '../../api/search-params';

export const chatSearch = searchOf({ new: text, agent: id });
