import { admin } from './en/admin.ts'
import { agreement } from './en/agreement.ts'
import { attention } from './en/attention.ts'
import { casebook } from './en/casebook.ts'
import { chart } from './en/chart.ts'
import { clearing } from './en/clearing.ts'
import { conflict } from './en/conflict.ts'
import { dataExport } from './en/dataExport.ts'
import { database } from './en/database.ts'
import { design } from './en/design.ts'
import { device } from './en/device.ts'
import { devices } from './en/devices.ts'
import { dict } from './en/dict.ts'
import { diff } from './en/diff.ts'
import { ecrf } from './en/ecrf.ts'
import { files } from './en/files.ts'
import { fieldPicker } from './en/fieldPicker.ts'
import { form } from './en/form.ts'
import { gate } from './en/gate.ts'
import { home } from './en/home.ts'
import { inbox } from './en/inbox.ts'
import { log } from './en/log.ts'
import { look } from './en/look.ts'
import { message } from './en/message.ts'
import { notices } from './en/notices.ts'
import { palette } from './en/palette.ts'
import { patients } from './en/patients.ts'
import { projects } from './en/projects.ts'
import { query } from './en/query.ts'
import { reasons } from './en/reasons.ts'
import { report } from './en/report.ts'
import { review } from './en/review.ts'
import { rules } from './en/rules.ts'
import { search } from './en/search.ts'
import { shell } from './en/shell.ts'
import { statistical } from './en/statistical.ts'
import { status } from './en/status.ts'
import { table } from './en/table.ts'
import { template } from './en/template.ts'
import { trail } from './en/trail.ts'
import { uat } from './en/uat.ts'
import { versions } from './en/versions.ts'
import { visits } from './en/visits.ts'
import { workspace } from './en/workspace.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const en = {
  admin,
  agreement,
  attention,
  casebook,
  chart,
  clearing,
  conflict,
  dataExport,
  database,
  design,
  device,
  devices,
  dict,
  diff,
  ecrf,
  files,
  fieldPicker,
  form,
  gate,
  home,
  inbox,
  log,
  look,
  message,
  notices,
  palette,
  patients,
  projects,
  query,
  reasons,
  report,
  review,
  rules,
  search,
  shell,
  statistical,
  status,
  table,
  template,
  trail,
  uat,
  versions,
  visits,
  workspace,
}
