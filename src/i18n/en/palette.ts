/** The search for subjects and screens. */
export const palette = {
  open: 'Search',
  label: 'Subject number, initials or page name',
  group: { patients: 'Subjects', recent: 'Recently opened', screens: 'Pages' },
  none: 'No subject or page matches “{{text}}”',
  count_one: '{{count}} result',
  count_other: '{{count}} results',
} as const
