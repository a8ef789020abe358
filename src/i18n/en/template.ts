/** Templates of pages and visits. */
export const template = {
  title: 'Template preview',
  titleOf: 'Template preview: {{name}}',
  page: 'Page',
  check: 'Check this page',
  sound: 'No errors found.',
  notKept: 'You can try it out. Nothing is saved.',
  withoutRules:
    'Rules of these fields refer to pages outside the template and are not active in the preview: {{fields}}',
} as const
