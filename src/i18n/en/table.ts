import type { table as source } from '../zh/table.ts'
import type { Texts } from '../texts.ts'

export const table: Texts<typeof source> = {
  least: 'At least {{total}}',
  filter: {
    add: 'Filter',
    inForce: 'Active filters',
    change: 'Change filter: {{filter}}',
    remove: 'Remove filter: {{filter}}',
    clear: 'Clear all',
    find: 'Find an option',
    none: 'No option matches',
    badDay: 'Enter a valid date, such as 2026-05-06',
  },
  columns: {
    title: 'Columns',
    open: 'Columns {{shown}}/{{all}}: choose which are shown',
    width: 'Width of column “{{title}}”',
    reset: 'Restore default columns and widths',
  },
  views: {
    title: 'Views',
    shown: 'View: {{name}}',
    all: 'All (default)',
    name: 'Name of the view',
    save: 'Save',
    replace: 'Replace',
    remove: 'Delete view “{{name}}”',
    hint: 'Saves the current filters, sort order and columns for you on this device. Do not include subject details in the name.',
  },
  take: {
    title: 'More',
    copy: 'Copy all, to paste into a spreadsheet',
    file: 'Download CSV (current filters and columns)',
    copied: 'Rows copied: {{count}}',
    notCopied: 'The browser did not allow copying',
  },
  keys: {
    title: 'Keyboard shortcuts',
    find: 'Press / to get here',
    of: { move: 'J K', mark: 'Shift + J K', open: 'Enter', close: 'Esc', copy: 'Ctrl + C' },
    move: 'Next row, previous row',
    mark: 'Select several rows',
    open: 'Open details',
    close: 'Close details',
    copy: 'Copy selected rows',
  },
  pick: { all: 'Select all' },
  row: { more: 'Details', details: 'Show details' },
  panel: {
    previous: 'Previous',
    next: 'Next',
    place: '{{at}} / {{of}}',
    width: 'Width of the details panel',
  },
  noMatch: { title: 'Nothing matches the filters', clear: 'Clear all filters' },
  offline: { title: 'You are offline', text: 'This list is not on this device. It is shown once you are online.' },
}
