import type { ProblemKind } from '#core/design/versionProblems.ts'

/** What keeps a draft from being published to test, in English. */
export const problemWordsEn = {
  noPages: 'There are no pages.',
  emptyFolder: 'This visit has no pages.',
  folderCodeTwice: 'Duplicate visit code.',
  pageCodeTwice: 'Duplicate page code in the visit.',
  noFields: 'This page has no fields.',
  noColumns: 'The table has no columns and cannot be completed.',
  'not-json': 'The form definition cannot be read.',
  'too-large': 'The form definition is too large.',
  'wrong-shape': 'The form definition has an invalid structure.',
  'bad-prop': 'Invalid field code.',
  'duplicate-prop': 'Duplicate field code.',
  rule: 'The rule cannot be used.',
  cycle: 'Circular reference between rules.',
  planCircle: 'Circular reference between visit schedules.',
  'unknown-anchor': 'The anchor visit of the schedule does not exist.',
  'anchor-without-date': 'The anchor visit of the schedule has no planned date.',
  'no-window': 'Invalid visit window: days cannot be negative.',
  'too-far': 'The rules refer to too many fields of other pages.',
  noList:
    'The list of choices could not be retrieved: its address is not a dictionary of this platform, not on an allowed server, or could not be reached.',
  noLookUp: 'The referenced page or field does not exist.',
} as const satisfies Record<ProblemKind, string>
