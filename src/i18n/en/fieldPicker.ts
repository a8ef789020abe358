/** Picking fields of pages. */
export const fieldPicker = {
  search: 'Find a page or field',
  wholePage: '{{page}}: all fields',
  count: '{{count}} of {{total}} fields',
  none: 'Nothing found for “{{text}}”.',
} as const
