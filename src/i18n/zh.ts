import { admin } from './zh/admin.ts'
import { attention } from './zh/attention.ts'
import { clearing } from './zh/clearing.ts'
import { conflict } from './zh/conflict.ts'
import { device } from './zh/device.ts'
import { devices } from './zh/devices.ts'
import { ecrf } from './zh/ecrf.ts'
import { form } from './zh/form.ts'
import { inbox } from './zh/inbox.ts'
import { log } from './zh/log.ts'
import { look } from './zh/look.ts'
import { patients } from './zh/patients.ts'
import { projects } from './zh/projects.ts'
import { shell } from './zh/shell.ts'
import { status } from './zh/status.ts'
import { workspace } from './zh/workspace.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const zh = { admin, attention, clearing, conflict, device, devices, ecrf, form, inbox, log, look, patients, projects, shell, status, workspace }
