import { admin } from './zh/admin.ts'
import { attention } from './zh/attention.ts'
import { device } from './zh/device.ts'
import { ecrf } from './zh/ecrf.ts'
import { form } from './zh/form.ts'
import { patients } from './zh/patients.ts'
import { projects } from './zh/projects.ts'
import { shell } from './zh/shell.ts'
import { status } from './zh/status.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const zh = { admin, attention, device, ecrf, form, patients, projects, shell, status }
