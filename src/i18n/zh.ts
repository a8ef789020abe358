import { admin } from './zh/admin.ts'
import { agreement } from './zh/agreement.ts'
import { attention } from './zh/attention.ts'
import { casebook } from './zh/casebook.ts'
import { chart } from './zh/chart.ts'
import { clearing } from './zh/clearing.ts'
import { conflict } from './zh/conflict.ts'
import { dataExport } from './zh/dataExport.ts'
import { database } from './zh/database.ts'
import { design } from './zh/design.ts'
import { device } from './zh/device.ts'
import { devices } from './zh/devices.ts'
import { dict } from './zh/dict.ts'
import { diff } from './zh/diff.ts'
import { ecrf } from './zh/ecrf.ts'
import { files } from './zh/files.ts'
import { fieldPicker } from './zh/fieldPicker.ts'
import { form } from './zh/form.ts'
import { gate } from './zh/gate.ts'
import { home } from './zh/home.ts'
import { inbox } from './zh/inbox.ts'
import { log } from './zh/log.ts'
import { look } from './zh/look.ts'
import { message } from './zh/message.ts'
import { notices } from './zh/notices.ts'
import { palette } from './zh/palette.ts'
import { patients } from './zh/patients.ts'
import { projects } from './zh/projects.ts'
import { query } from './zh/query.ts'
import { reasons } from './zh/reasons.ts'
import { report } from './zh/report.ts'
import { review } from './zh/review.ts'
import { rules } from './zh/rules.ts'
import { search } from './zh/search.ts'
import { shell } from './zh/shell.ts'
import { statistical } from './zh/statistical.ts'
import { status } from './zh/status.ts'
import { table } from './zh/table.ts'
import { template } from './zh/template.ts'
import { trail } from './zh/trail.ts'
import { uat } from './zh/uat.ts'
import { versions } from './zh/versions.ts'
import { visits } from './zh/visits.ts'
import { workspace } from './zh/workspace.ts'

/** The texts of what lies behind the sign-in, by namespace. */
export const zh = {
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
