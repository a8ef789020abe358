import type { agreement as source } from '../zh/agreement.ts'
import type { Texts } from '../texts.ts'

export const agreement: Texts<typeof source> = {
  title: 'Agreement of double entry',
  intro:
    'How much the two passes differ: by field, by who entered, by center. A merged patient counts as it was when it was merged.',
  center: 'Center',
  allCenters: 'All centers',
  limit: 'Accepted error rate (%)',
  limitHint: 'At most {{figure}} in 10,000 fields',
  download: 'Download CSV',
  total: {
    title: 'Over all',
    compared: 'Fields compared',
    differing: 'Fields that differ',
    agreement: 'Agreement',
    rate: 'Errors in 10,000 fields',
    drawn: 'Error rate {{rate}} %, accepted up to {{limit}} %',
    limitMark: 'Limit',
  },
  acceptance: { within: 'Accepted', over: 'Over the limit', none: 'Not compared' },
  by: { fields: 'By field', people: 'By who entered', centers: 'By center' },
  columns: {
    name: { fields: 'Field', people: 'Entered by', centers: 'Center' },
    kind: 'Kind',
    code: 'Code',
    compared: 'Compared',
    differing: 'Differ',
    rate: 'Errors in 10,000',
    drawn: 'Error rate',
    acceptance: 'Judgement',
  },
  gone: 'Not in the version in use',
  all: 'Show all {{count}} lines',
  fewer: 'Show the first {{count}} only',
  empty: {
    title: 'Nothing to compare yet',
    text: 'Once the second pass of a patient is begun, how far the two agree is shown here.',
  },
  notDouble: {
    title: 'This project is not entered twice',
    text: 'Once double entry is turned on in the project’s settings, a second pass is begun from a patient’s casebook.',
  },
  file: 'agreement-of-double-entry-{{day}}.csv',
}
