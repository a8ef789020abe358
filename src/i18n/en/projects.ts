import type { projects as source } from '../zh/projects.ts'
import type { Texts } from '../texts.ts'

export const projects: Texts<typeof source> = {
  title: 'Projects',
  view: { label: 'View', card: 'Cards', table: 'Table' },
  search: 'Find by project name',
  columns: { name: 'Project', status: 'Status', mode: 'Mode', role: 'My role' },
  mode: { areamultiple: 'Multi-centre', areasingle: 'Single centre' },
  double: 'Double entry',
  role: {
    ADMIN: 'Administrator',
    PI: 'Principal investigator',
    PM: 'Project manager',
    CRA: 'Monitor',
    CRC: 'Coordinator',
    DBD: 'Data manager',
  },
  open: 'Open {{name}}',
  empty: {
    title: 'There is no project for you yet',
    text: 'Please ask the administrator to add you to a project team.',
    admin: 'Create a project first; then import its forms and add centers and members.',
  },
  noMatch: { title: 'No project matches', text: 'Try another name, or clear the search.' },
  create: {
    open: 'New project',
    title: 'New project',
    name: 'Project name',
    mode: 'Centers',
    submit: 'Create',
    required: 'Required',
  },
  start: {
    title: 'The project is being set up',
    text: 'The project "{{name}}" is being set up. Once started, its members can enter and record data.',
    now: 'Start now',
    cancel: 'Cancel',
    manage: 'Set it up first',
  },
}
