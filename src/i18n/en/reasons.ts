import type { reasons as source } from '../zh/reasons.ts'
import type { Texts } from '../texts.ts'

export const reasons: Texts<typeof source> = {
  code: {
    transcription: 'Transcription error',
    new_source: 'New source information',
    query_answer: 'Answer to a query',
    clarification: 'Clarified by investigator',
    adjudication: 'Double entry adjudication',
    import: 'Import correction',
    migration: 'Version migration',
    other: 'Other',
    not_given: 'No reason given',
  },
  strip: {
    title: 'Changes that need a reason: {{count}}',
    text: 'This page was submitted before. The changes are saved on this tablet and are sent once they have a reason.',
    listed: 'This page was submitted before. These changes are at the server; please add the reasons.',
    give: 'Give reasons',
    somebody: 'A colleague',
    colleague:
      '{{name}} has changes without a reason on this tablet ({{count}}). Only they can give it, after signing in; the values are saved on this tablet.',
  },
  dialog: {
    title: 'Reasons for change',
    intro: 'Choose a reason for each change, or choose one and apply it to all.',
    again:
      'This page was changed while you gave reasons. Check the values below as they are now, and save once more; reasons you had entered are kept.',
    reason: '{{field}}: reason',
    text: 'Details',
    addText: 'Add details',
    textHint: 'For example: progress note corrected on 20 November',
    applyAll: 'Apply to all {{count}}',
    from: 'Before',
    to: 'Now',
    submit: 'Save reasons',
    submitAndSend: 'Save reasons and submit',
    missing: 'Choose a reason',
    textMissing: '“Other” needs a few words',
    left: 'Changes still without a reason: {{count}}',
  },
  row: { added: 'Row added', deleted: 'Row deleted', restored: 'Row brought back' },
  rowOf: '{{table}} · row {{no}}',
  rowGone: '{{table}} · deleted row',
}
