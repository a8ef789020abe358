import type { shell as source } from '../zh/shell.ts'
import type { Texts } from '../texts.ts'

export const shell: Texts<typeof source> = {
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  skip: 'Skip to the content',
  nav: {
    title: 'Navigation',
    projects: 'Projects',
    patients: 'Patients',
    tablet: 'Tablet',
    device: 'Data on this device',
    attention: 'Needs attention',
    admin: 'Administration',
    projectInfo: 'Project information',
    mem: 'Team',
    site: 'Centers',
    crfHistory: 'Form versions',
    startResearch: 'Start research',
  },
  project: { choose: 'Choose a project', search: 'Find by name', none: 'No project matches' },
  center: 'Centers {{count}}',
  user: { open: 'User menu: {{name}}', offline: 'unlocked offline', lock: 'Lock', logout: 'Log out' },
  logout: {
    title: 'Please confirm',
    question: 'Do you want to leave the system?',
    unsent: '{{count}} entries on this device have not been sent. They stay here, encrypted, and are sent after the next sign-in by you or a colleague.',
    submit: 'Log out',
  },
  banner: {
    stop: 'The project is {{status}}; nothing can be done at the moment.',
    close: 'The project has {{status}}; its data are locked.',
    start: 'The project is being set up; only administrators can enter.',
  },
  signInAgain: {
    title: 'The sign-in has expired',
    text: 'You can go on entering data; it is kept on this device and sent after you sign in again.',
    submit: 'Sign in again',
  },
}
