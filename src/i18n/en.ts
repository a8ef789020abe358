import { admin } from './en/admin.ts'
import { attention } from './en/attention.ts'
import { device } from './en/device.ts'
import { ecrf } from './en/ecrf.ts'
import { form } from './en/form.ts'
import { patients } from './en/patients.ts'
import { projects } from './en/projects.ts'
import { shell } from './en/shell.ts'
import { status } from './en/status.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const en = { admin, attention, device, ecrf, form, patients, projects, shell, status }
