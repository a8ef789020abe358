import type { reasons as source } from '../zh/reasons.ts'
import type { Texts } from '../texts.ts'

export const reasons: Texts<typeof source> = {
  code: {
    transcription: 'Transcription error',
    new_source: 'New source data',
    query_answer: 'Query answered',
    clarification: 'Clarified by the investigator',
    adjudication: 'Double entry adjudication',
    import: 'Import correction',
    migration: 'Version migration',
    other: 'Other',
    not_given: 'No reason given',
  },
  strip: {
    title_one: '{{count}} change needs a reason',
    title: '{{count}} changes need a reason',
    text: 'This page has been submitted before. The changes are saved on this device and are sent once they have a reason.',
    listed: 'This page has been submitted before. The changes below have reached the server; add the reasons.',
    give: 'Give reasons',
    somebody: 'A colleague',
    colleague_one:
      '{{name}} has {{count}} change without a reason on this device. Only they can give the reason, after signing in; the value is saved on this device.',
    colleague:
      '{{name}} has {{count}} changes without a reason on this device. Only they can give the reasons, after signing in; the values are saved on this device.',
  },
  dialog: {
    title: 'Reasons for change',
    intro: 'Select a reason for each change, or select one and apply it to all.',
    again:
      'The page was changed while you were giving reasons. Check the current values below, then save again; reasons already entered are kept.',
    reason: '{{field}}: reason',
    text: 'Details',
    addText: 'Add details',
    textHint: 'For example: progress note corrected on 20 November',
    applyAll: 'Apply to all {{count}}',
    from: 'Old value',
    to: 'New value',
    submit: 'Save reasons',
    submitAndSend: 'Save reasons and submit',
    missing: 'Select a reason',
    textMissing: '“Other” requires details',
    left_one: '{{count}} change without a reason',
    left: '{{count}} changes without a reason',
  },
  row: { added: 'Row added', deleted: 'Row deleted', restored: 'Row restored' },
  rowOf: '{{table}} · row {{no}}',
  rowGone: '{{table}} · deleted row',
}
