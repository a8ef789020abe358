/** Templates of pages and visits. */
export const template = {
  title: 'Template preview',
  titleOf: 'Template preview: {{name}}',
  page: 'Page',
  language: 'Language of the form',
  languages: { zh: 'Chinese', en: 'English' },
  width: 'Width of the page',
  widths: { horizontal: 'A4 landscape', vertical: 'A4 portrait', auto: 'Fit' },
  again: 'Clear',
  check: 'Check page',
  sound: 'No error found.',
  form: 'Form',
  notKept: 'You can try it out. Nothing is kept.',
  withoutRules: 'Rules of these fields read pages outside of the template and do not run in the preview: {{fields}}',
} as const
