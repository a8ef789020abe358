import type { AuditSubject } from '#server/database/auditActions.ts'

/** Who may do and read what, as data. What is not in here makes tests/server/access/access.test.ts fail. */

/** Every call that is served, by the code that it asks for in the project; `member`: being somebody there, or its own rule, is enough. */
export const callsByRight: Readonly<Record<string, readonly string[]>> = {
  anybody: ['auth.captcha', 'auth.tenantInfo', 'auth.token'],
  administrator: ['log.errorDetail', 'log.errorList', 'project.save', 'user.endSessions', 'user.list', 'user.resetPassword', 'user.save', 'user.status'],
  attach_edit: ['attachment.regionRemove', 'attachment.regionSave', 'attachment.remove', 'attachment.update'],
  audit_view: ['audit.list', 'audit.verify'],
  data_review: ['sync.inbox', 'sync.inboxDecide', 'sync.inboxDetail'],
  database_submit_page: ['conflict.resolve', 'entry.delete', 'entry.insert', 'entry.save', 'entry.smartInsert', 'entry.smartSave', 'entry.submit', 'entry.unique'],
  design_edit: ['entry.pageSort', 'template.save', 'version.designRestore', 'version.designSave', 'version.import'],
  device_manage: ['sync.deviceBlock', 'sync.devices', 'sync.rescue'],
  dict_edit: ['projectDict.fastSubmit', 'projectDict.remove', 'projectDict.submit', 'projectDict.template'],
  double_entry: ['double.create'],
  double_merge: ['double.agreement', 'double.destroy', 'double.gapCheck', 'double.gapIgnore', 'double.list', 'double.merge'],
  export: ['patient.excel'],
  mem: ['center.save', 'center.update', 'member.remove', 'member.save', 'member.update'],
  member: [
    // of files: who may enter there brings them, who may see the page reads them
    'attachment.content', 'attachment.detail', 'attachment.finish', 'attachment.images', 'attachment.ofPage', 'attachment.ofPatient', 'attachment.piece',
    'attachment.regions', 'attachment.start', 'attachment.thumb',
    // of oneself
    'auth.buttons', 'auth.changePassword', 'auth.logout', 'auth.userInfo', 'dict.dictionary', 'log.local', 'log.upload', 'menu.routes', 'menu.topMenu', 'notice.click', 'notice.list',
    'project.aboutme', 'project.list',
    // within one's centers, pass and patients
    'audit.field', 'center.list', 'conflict.list', 'double.detail', 'double.patients', 'entry.content', 'entry.fieldPatients', 'entry.list', 'entry.marks', 'entry.notice',
    'entry.pagePatients', 'entry.todo', 'patient.detail', 'patient.list', 'patient.project', 'visit.list',
    // of the project as a whole, or with rights of their own
    'center.numberPreview', 'member.deptUsers', 'member.list', 'project.authList', 'project.confDetail', 'project.detail', 'projectDict.childList', 'projectDict.lazyList',
    'projectDict.parentList', 'projectDict.templateFile', 'projectDict.usages', 'task.result', 'template.detail', 'template.list', 'template.remove', 'trial.list',
    'trial.read', 'version.approveList', 'version.design', 'version.designEntered', 'version.designHistory', 'version.designState', 'version.detail', 'version.history', 'version.list', 'version.tree',
    // of one's own device
    'sync.device', 'sync.keys', 'sync.pull', 'sync.push', 'sync.scopes',
  ],
  patient_edit: ['patient.expertSave', 'patient.memberSave', 'patient.noticeWays', 'patient.sendNotice', 'patient.update'],
  patient_enrol: ['patient.save', 'sync.lease'],
  patient_remove: ['patient.remove'],
  project_crf_draft_del: ['version.remove'],
  project_crf_draft_publish: ['version.releaseTest'],
  project_crf_new: ['version.save'],
  project_crf_test_check: ['trial.clear', 'trial.save', 'trial.submit', 'version.approveCheck', 'version.approveSign'],
  project_crf_test_publish: ['version.migrationAgain', 'version.migrationCheck', 'version.migrationPlan', 'version.migrationTask', 'version.release'],
  project_crf_test_revent: ['version.back'],
  project_del: ['project.remove'],
  project_edit: ['project.confUpdate', 'project.update'],
  project_enable_resources: ['project.resourceConfig', 'project.resourceList'],
  project_toggle_status: ['project.changeStatus'],
  rule_edit: ['version.ruleFaults', 'version.ruleTry'],
  visit_edit: ['folder.config', 'folder.remove', 'visit.remove', 'visit.save', 'visit.update'],
}

/** What a blocked device may still ask for: it brings what was entered on it. */
export const callsOfBlockedDevices: readonly string[] = [
  'attachment.finish', 'attachment.piece', 'attachment.start', 'auth.logout', 'auth.userInfo', 'sync.device', 'sync.push',
]

/** What somebody may ask for before they have changed a first password. */
export const callsBeforePasswordChange: readonly string[] = ['auth.changePassword', 'auth.logout', 'auth.userInfo']

/** Every action that is booked, by what it is about. */
export const actionsBySubject: Readonly<Record<AuditSubject, readonly string[]>> = {
  entry: [
    'conflict.migrate', 'conflict.open', 'conflict.resolve', 'entry.archive', 'entry.correct', 'entry.create', 'entry.delete', 'entry.delete_refused', 'entry.empty', 'entry.migrate', 'entry.overtaken',
    'entry.recalculate', 'entry.restore', 'entry.status', 'entry.submit', 'entry.unasked', 'entry.unchanged', 'item.calculate', 'item.confirm', 'item.explain', 'item.migrate', 'item.overtaken', 'item.retire',
    'item.unconverted', 'item.update', 'region.create', 'region.remove', 'region.update', 'row.delete', 'row.explain', 'row.insert', 'row.move', 'row.overtaken', 'row.restore',
  ],
  file: ['attachment.refuse', 'attachment.store', 'attachment.view', 'draft.rescue'],
  gap: ['gap.ignore', 'gap.migrate', 'gap.open'],
  operation: ['inbox.release', 'inbox.return', 'operation.held', 'operation.inbox', 'operation.released'],
  patient: [
    'double.destroy', 'double.merge', 'double.open', 'folder.order', 'folder.remove', 'folder.restore', 'message.create', 'message.failed', 'message.no_address',
    'message.sent', 'patient.conflict', 'patient.enrol', 'patient.experts', 'patient.identify', 'patient.members', 'patient.migrate', 'patient.notify', 'patient.number_taken', 'patient.overtaken',
    'patient.remove', 'patient.unchanged', 'patient.update', 'visit.conflict', 'visit.make', 'visit.overtaken', 'visit.remove', 'visit.restore', 'visit.unchanged', 'visit.update',
  ],
  center: ['center.create', 'center.update', 'number.lease'],
  project: [
    'audit.redact', 'demo.create', 'device.rescue', 'dict.create', 'dict.entry.create', 'dict.entry.remove', 'dict.entry.update', 'dict.fill', 'dict.remove', 'dict.update', 'member.add',
    'member.remove', 'member.update', 'patient.export', 'project.configure', 'project.create', 'project.functions', 'project.remove', 'project.status', 'project.update',
    'template.create', 'template.remove', 'trial.clear', 'trial.save', 'trial.submit', 'version.create', 'version.design', 'version.import', 'version.judge',
    'version.lists', 'version.migrateAgain', 'version.migrated', 'version.migration', 'version.migrationAside', 'version.page_sort', 'version.profile', 'version.remove', 'version.restore', 'version.rewritten', 'version.sign',
  ],
  system: [
    'backup.recovered', 'backup.restore', 'device.block', 'device.keys', 'device.register', 'device.storage_lost', 'device.unblock', 'server.storage', 'user.create', 'user.disable',
    'user.enable', 'user.end_sessions', 'user.login', 'user.login_failed', 'user.logout', 'user.password_change', 'user.password_reset', 'user.token_reuse',
  ],
}
