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
  kind: { missing: 'Required missing', process: 'Not submitted', attention: 'Conflicts and attention' },
  counting: 'Asking the server what waits; you can enter the project meanwhile.',
  unknown: 'This project is not kept on this device; what waits is shown when there is a network.',
  empty: {
    title: 'No projects yet',
    text: 'Please ask an administrator to add you to a project team.',
    admin: 'Create a project first, then import forms and add centers and members.',
    create: 'Create a project',
  },
  device: {
    title: 'This device',
    oldest: 'the oldest was entered at {{time}}',
    attention: 'Needing attention: {{count}}',
    open: 'Data on this device',
    toAttention: 'Attend to it',
  },
}
