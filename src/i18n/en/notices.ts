/** The notices of the user, those that were read too. */
export const notices = {
  title: 'My notices',
  intro: 'What you have been told or asked. A request that is settled ends automatically.',
  which: 'By status',
  unread: 'Unread',
  all: 'All',
  state: { unread: 'Unread', read: 'Read', ended: 'Settled' },
  read: 'Mark as read',
  readOf: 'Mark as read: {{title}}',
  readAll: 'Mark all on this page as read',
  empty: {
    unread: { title: 'No unread notices', text: 'New assignments and versions awaiting your review appear here.' },
    all: { title: 'No notices yet', text: 'New assignments and versions awaiting your review appear here.' },
  },
} as const
