import { admin } from './en/admin.ts'
import { attention } from './en/attention.ts'
import { clearing } from './en/clearing.ts'
import { conflict } from './en/conflict.ts'
import { device } from './en/device.ts'
import { devices } from './en/devices.ts'
import { ecrf } from './en/ecrf.ts'
import { form } from './en/form.ts'
import { inbox } from './en/inbox.ts'
import { log } from './en/log.ts'
import { look } from './en/look.ts'
import { patients } from './en/patients.ts'
import { projects } from './en/projects.ts'
import { shell } from './en/shell.ts'
import { status } from './en/status.ts'
import { workspace } from './en/workspace.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const en = { admin, attention, clearing, conflict, device, devices, ecrf, form, inbox, log, look, patients, projects, shell, status, workspace }
