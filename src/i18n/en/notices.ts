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
  group: {
    query_site: 'Queries to answer',
    query_review: 'Queries to review',
    query_overdue: 'Overdue queries',
    conflict: 'Conflicts',
    inbox: 'Inbox',
    visit_due: 'Visits due',
    approval: 'Version reviews',
    export_waits: 'Exports to approve',
    export_ended: 'Exports that I asked for',
    release: 'Releases',
    assigned: 'Assigned subjects',
  },
  settings: {
    open: 'Notice settings',
    title: 'Notice settings',
    intro:
      'What you are asked to do is always shown in the app. E-mails and text messages give only the name of the project and the number of items of each kind: nothing about subjects, and no data.',
    save: 'Save',
    way: { app: 'In the app', email: 'E-mail', note: 'Text message' },
    pace: { at_once: 'At once', daily: 'Daily', never: 'Never' },
    always: 'Always shown',
    choose: '{{group}}: {{way}}',
    noEmail: {
      not_set_up: 'This server has not been set up to send e-mail, so notices cannot be sent by e-mail.',
      no_address:
        'Your account has no e-mail address, so notices cannot be sent by e-mail. Please ask an administrator.',
    },
    noPhone:
      'Your account has no mobile number, so notices cannot be sent by text message. Please ask an administrator.',
  },
  empty: {
    unread: {
      title: 'No unread notices',
      text: 'Queries, conflicts, visits due, versions awaiting your review and the like appear here.',
    },
    all: {
      title: 'No notices yet',
      text: 'Queries, conflicts, visits due, versions awaiting your review and the like appear here.',
    },
  },
} as const
