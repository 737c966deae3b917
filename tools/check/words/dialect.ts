/** Words that this code once used for things which have an ordinary name. All forms of a word count. */
const DIALECT = [
  'ahead',
  'anew',
  'asked',
  'away',
  'believe believes believed',
  'beside',
  'deed deeds',
  'departure departures',
  'desk desks',
  'door doors',
  'doubt doubts doubted doubtful',
  'elsewhere',
  'entrance entrances',
  'forget forgets forgot forgotten',
  'gate gates',
  'gone',
  'hear hears heard hearing',
  'held',
  'kept',
  'known',
  'lane lanes',
  'left',
  'lookout lookouts',
  'lost',
  'means',
  'news',
  'place places',
  'road roads',
  'room rooms',
  'say says said saying',
  'speak speaks spoke spoken speaking',
  'stillness',
  'stretch stretches',
  'stroke strokes',
  'tell tells told telling',
  'trip trips',
  'visitor visitors',
  'wanted',
];
const words = new Set(DIALECT.flatMap((forms) => forms.split(' ')));

/** Names that others gave: of CSS, of a library, of an interface. */
const GIVEN_BY_OTHERS = new Set(['left', 'scrollLeft', 'offsetLeft', 'marginLeft', 'paddingLeft', 'leftJoin']);

/** The words of a name in camelCase, snake_case or CONSTANT_CASE. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());

export const isDialect = (name: string): boolean =>
  !GIVEN_BY_OTHERS.has(name) && wordsOf(name).some((word) => words.has(word));

/** A sentence whose subject has to be guessed. A question ("What is this for?") is none. */
const RIDDLE = /(?:^|[.!?]\s+)(?:Who|Whoever|What|Whatever|Nobody|Somebody)\b/;
/** They leave out who or what is meant. In backticks it is a name. */
const VAGUE = /(?<!`)\b(?:nobody|whoever|whatever)\b/i;

export const hasRiddle = (comment: string): boolean => RIDDLE.test(comment) || VAGUE.test(comment);
