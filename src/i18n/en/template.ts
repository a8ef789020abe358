/** Templates of pages and visits. */
export const template = {
  title: 'Template preview',
  titleOf: 'Template preview: {{name}}',
  page: 'Page',
  check: 'Check page',
  sound: 'No error found.',
  notKept: 'You can try it out. Nothing is kept.',
  withoutRules: 'Rules of these fields read pages outside of the template and do not run in the preview: {{fields}}',
} as const
