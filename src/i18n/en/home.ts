import type { home as source } from '../zh/home.ts'
import type { Texts } from '../texts.ts'

export const home: Texts<typeof source> = {
  title: 'Home',
  refused: 'The project cannot be opened',
  intro: '{{name}}, today is {{today}}',
  projects: 'My projects',
  notices: 'Unread notices ({{count}})',
  all: 'All projects ({{count}})',
  waiting: '{{name}}: to do',
  kind: { missing: 'Required fields empty', process: 'Not submitted', attention: 'Conflicts and needs attention' },
  counting: 'Counting open tasks on the server; you can enter the project meanwhile.',
  unknown: 'This project is not downloaded to this device; tasks are shown once you are online.',
  empty: {
    title: 'No projects yet',
    text: 'Ask an administrator to add you to a project team.',
    admin: 'Create a project first, then import forms and add centers and members.',
    create: 'Create a project',
  },
  device: {
    title: 'This device',
    oldest: 'oldest entered at {{time}}',
    attention: '{{count}} need attention',
    open: 'Data on this device',
    toAttention: 'Review',
  },
}
