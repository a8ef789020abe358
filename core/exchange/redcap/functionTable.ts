/**
 * REDCap's functions that need no more than other names: how many arguments they take, and how each is written in CEL.
 */

export interface PlainFunction {
  readonly least: number
  readonly most: number
  /** What the CEL gives. */
  readonly gives: 'bool' | 'number' | 'text'
  /** Writes the call; every argument is CEL of any type. */
  readonly write: (args: readonly string[]) => string
}

/** Texts that stand for the captured moment where a date is asked for. */
const MOMENTS: ReadonlyMap<string, string> = new Map([
  ['"today"', 'today'],
  ['"now"', 'now'],
])

const call = (name: string) => (args: readonly string[]) => `${name}(${args.join(', ')})`
const listCall = (name: string) => (args: readonly string[]) => `${name}([${writeList(args)}])`
const part =
  (name: string) =>
  ([moment = '']: readonly string[]) =>
    `rcPart(${MOMENTS.get(moment) ?? moment}, "${name}")`
const rounding =
  (name: string) =>
  ([value = '', digits = '0.0']: readonly string[]) =>
    `${name}(${value}, ${digits})`

/** Elements of one list must be of one type for CEL. */
function writeList(args: readonly string[]): string {
  return args.map((arg) => `dyn(${arg})`).join(', ')
}

function plain(
  gives: PlainFunction['gives'],
  least: number,
  most: number,
  write: PlainFunction['write'],
): PlainFunction {
  return { gives, least, most, write }
}

/** REDCap names no limit; a list of CEL has one. */
const MANY = 1_000

/** The plain functions, by their names in lower case. */
export const PLAIN_FUNCTIONS: ReadonlyMap<string, PlainFunction> = new Map([
  ['sum', plain('number', 1, MANY, listCall('rcSum'))],
  ['mean', plain('number', 1, MANY, listCall('rcMean'))],
  ['median', plain('number', 1, MANY, listCall('rcMedian'))],
  ['stdev', plain('number', 1, MANY, listCall('rcStdev'))],
  ['min', plain('number', 1, MANY, listCall('rcMin'))],
  ['max', plain('number', 1, MANY, listCall('rcMax'))],
  ['round', plain('number', 1, 2, rounding('rcRound'))],
  ['roundup', plain('number', 1, 2, rounding('rcRoundUp'))],
  ['rounddown', plain('number', 1, 2, rounding('rcRoundDown'))],
  ['length', plain('number', 1, 1, call('rcLength'))],
  ['find', plain('number', 2, 2, call('rcFind'))],
  ['year', plain('number', 1, 1, part('year'))],
  ['month', plain('number', 1, 1, part('month'))],
  ['day', plain('number', 1, 1, part('day'))],
  ['dayoftheweek', plain('number', 1, 1, part('weekday'))],
  ['hour', plain('number', 1, 1, part('hour'))],
  ['minute', plain('number', 1, 1, part('minute'))],
  ['second', plain('number', 1, 1, part('second'))],
  [
    'age_at_date',
    plain('number', 2, 2, ([from = '', to = '']) => `rcAge(${MOMENTS.get(from) ?? from}, ${MOMENTS.get(to) ?? to})`),
  ],
  ['left', plain('text', 2, 2, call('rcLeft'))],
  ['right', plain('text', 2, 2, call('rcRight'))],
  ['mid', plain('text', 3, 3, call('rcMid'))],
  ['replace_text', plain('text', 3, 3, call('rcReplace'))],
  ['concat', plain('text', 1, MANY, listCall('rcConcat'))],
  [
    'concat_ws',
    plain('text', 2, MANY, ([separator = '', ...parts]) => `rcConcatWs(${separator}, [${writeList(parts)}])`),
  ],
  ['upper', plain('text', 1, 1, call('rcUpper'))],
  ['lower', plain('text', 1, 1, call('rcLower'))],
  ['trim', plain('text', 1, 1, call('rcTrim'))],
  ['contains', plain('bool', 2, 2, call('rcContains'))],
  ['not_contain', plain('bool', 2, 2, (args) => `!rcContains(${args.join(', ')})`)],
  ['starts_with', plain('bool', 2, 2, call('rcStartsWith'))],
  ['ends_with', plain('bool', 2, 2, call('rcEndsWith'))],
  ['isnumber', plain('bool', 1, 1, call('rcIsNumber'))],
  ['isinteger', plain('bool', 1, 1, call('rcIsInteger'))],
  // There are no missing data codes here: a reason for a missing value stands beside the value, which is then blank to
  // rules.
  ['isblankormissingcode', plain('bool', 1, 1, ([value = '']) => `rcEq(${value}, "")`)],
  ['isblanknotmissingcode', plain('bool', 1, 1, ([value = '']) => `rcEq(${value}, "")`)],
])
