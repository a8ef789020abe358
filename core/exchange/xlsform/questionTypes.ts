/** Types of rows of an XLSForm, in all spellings that converters take. */

export interface RowType {
  /** In the spelling of the documentation. */
  readonly name: string
  /** The list, or the file of choices; '' for types without. */
  readonly list: string
  readonly orOther: boolean
}

const SPELLINGS: Readonly<Record<string, string>> = {
  begingroup: 'begin_group',
  endgroup: 'end_group',
  beginrepeat: 'begin_repeat',
  endrepeat: 'end_repeat',
  begin_loop: 'begin_repeat',
  end_loop: 'end_repeat',
  string: 'text',
  int: 'integer',
  datetime: 'dateTime',
  photo: 'image',
  location: 'geopoint',
  gps: 'geopoint',
  trigger: 'acknowledge',
  'uri:deviceid': 'deviceid',
  'uri:subscriberid': 'subscriberid',
  'uri:simserial': 'simserial',
  'uri:phonenumber': 'phonenumber',
  'uri:email': 'email',
  'uri:username': 'username',
  start_time: 'start',
  end_time: 'end',
}

const CHOICE =
  /^(select_one_from_file|select_multiple_from_file|select_one_external|select_one|select1|select_multiple|select_all_that_apply|add_select_one_prompt_using|add_select_multiple_prompt_using|select_all_that_apply_from|select_one_from|select_multiple_from|rank)\s+(.+)$/

const CHOICES: Readonly<Record<string, string>> = {
  select1: 'select_one',
  select_one_from: 'select_one',
  add_select_one_prompt_using: 'select_one',
  select_all_that_apply: 'select_multiple',
  select_all_that_apply_from: 'select_multiple',
  select_multiple_from: 'select_multiple',
  add_select_multiple_prompt_using: 'select_multiple',
}

/** What a cell of the column `type` says. */
export function rowType(cell: string): RowType {
  const words = cell.trim().replaceAll(/\s+/g, ' ')
  const joined = words
    .replace(/^select one from file\b/i, 'select_one_from_file')
    .replace(/^select multiple from file\b/i, 'select_multiple_from_file')
    .replace(/^add select (one|multiple) prompt using\b/i, 'add_select_$1_prompt_using')
    .replace(/^select all that apply from\b/i, 'select_all_that_apply_from')
    .replace(/^select all that apply\b/i, 'select_all_that_apply')
    .replace(/^select (one|multiple) from\b/i, 'select_$1_from')
    .replace(/^select (one|multiple)\b/i, 'select_$1')
  const space = joined.indexOf(' ')
  const choice = space === -1 ? null : CHOICE.exec(`${joined.slice(0, space).toLowerCase()}${joined.slice(space)}`)
  if (choice !== null) {
    const [, type = '', rest = ''] = choice
    const list = rest.replace(/\s+(?:or_other|or other|or specify other)$/i, '')
    return { name: CHOICES[type] ?? type, list: list.trim(), orOther: list !== rest }
  }
  const plain = joined.toLowerCase().replaceAll(' ', '_')
  return { name: SPELLINGS[plain] ?? plain, list: '', orOther: false }
}

/** As the sheet names a type, for counting. */
export function countedType(cell: string): string {
  const plain = cell.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (/^(begin|end) (group|repeat)$/.test(plain)) return plain.replace(' ', '_')
  const { name, list } = rowType(cell)
  if (list !== '') return name
  return plain.split(' ')[0] ?? ''
}

/** What a device writes down by itself; nobody is asked. */
export const DEVICE_TYPES: ReadonlySet<string> = new Set([
  'start',
  'end',
  'today',
  'deviceid',
  'subscriberid',
  'simserial',
  'phonenumber',
  'username',
  'email',
  'audit',
  'start-geopoint',
  'background-audio',
  'background-geopoint',
  'caseid',
])

/** Files that a form reads beside itself. */
export const FILE_TYPES: ReadonlySet<string> = new Set(['xml-external', 'csv-external', 'geojson-external'])

const STRUCTURE: ReadonlySet<string> = new Set(['begin_group', 'end_group', 'begin_repeat', 'end_repeat'])

/** Whether a row asks something: groups, notes and what the device writes down do not. */
export function isQuestion({ name }: RowType): boolean {
  return !STRUCTURE.has(name) && name !== 'note' && name !== '' && !DEVICE_TYPES.has(name) && !FILE_TYPES.has(name)
}
