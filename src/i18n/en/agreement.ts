import type { agreement as source } from '../zh/agreement.ts'
import type { Texts } from '../texts.ts'

export const agreement: Texts<typeof source> = {
  title: 'Double entry agreement',
  intro:
    'Differences between the two passes by field, person and center. Merged subjects count with the differences at the time of the merge.',
  center: 'Center',
  allCenters: 'All centers',
  limit: 'Acceptable error rate (%)',
  limitHint: 'No more than {{figure}} per 10,000 fields',
  download: 'Download CSV',
  total: {
    title: 'Overall',
    compared: 'Fields compared',
    differing: 'Fields differing',
    agreement: 'Agreement',
    rate: 'Errors per 10,000 fields',
    drawn: 'Error rate {{rate}}%, acceptable up to {{limit}}%',
    limitMark: 'Limit',
  },
  acceptance: { within: 'Acceptable', over: 'Over the limit', none: 'Not compared' },
  by: { fields: 'By field', people: 'By person', centers: 'By center' },
  columns: {
    name: { fields: 'Field', people: 'Entered by', centers: 'Center' },
    kind: 'Category',
    code: 'Code',
    compared: 'Compared',
    differing: 'Differing',
    rate: 'Errors per 10,000',
    drawn: 'Error rate',
    acceptance: 'Assessment',
  },
  gone: 'Not in the current version',
  all_one: 'Show {{count}} line',
  all: 'Show all {{count}} lines',
  fewer: 'Show the first {{count}} only',
  empty: {
    title: 'Nothing to compare yet',
    text: 'Once the second pass of a subject has started, the agreement is shown here.',
  },
  notDouble: {
    title: 'Double entry is off',
    text: 'Once double entry is enabled in the project settings, the second pass is started from a subject’s case report form.',
  },
  file: 'double-entry-agreement-{{day}}.csv',
}
