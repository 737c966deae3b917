import { id, searchOf, text } from '../../api/search';

export const chatSearch = searchOf({ new: text, agent: id });
