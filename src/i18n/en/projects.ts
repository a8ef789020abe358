import type { projects as source } from '../zh/projects.ts'
import type { Texts } from '../texts.ts'

export const projects: Texts<typeof source> = {
  title: 'Projects',
  view: { label: 'View', card: 'Cards', table: 'Table' },
  search: 'Search by project name',
  columns: { name: 'Project name', status: 'Status', mode: 'Mode', role: 'My role' },
  mode: { areamultiple: 'Multicenter', areasingle: 'Single center' },
  double: 'Double entry',
  role: {
    ADMIN: 'Administrator',
    PI: 'Principal investigator',
    PM: 'Project manager',
    CRA: 'Monitor',
    CRC: 'Clinical research coordinator (CRC)',
    DBD: 'Data manager',
  },
  open: 'Open {{name}}',
  empty: {
    title: 'No projects yet',
    text: 'Ask an administrator to add you to a project team.',
    admin: 'Create a project first, then import forms and add centers and members.',
  },
  noMatch: { title: 'No matching projects', text: 'Try another name, or clear the search.' },
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
    text: 'The project “{{name}}” is being set up. Once started, its members can enter it and record data.',
    now: 'Start now',
    cancel: 'Cancel',
    manage: 'Go to settings first',
  },
}
