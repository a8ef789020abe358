/**
 * All audit actions, and what each is about. An audit row about an entry names its center, patient, entry and pass,
 * so that a person who may not see the entry cannot read about it (`NewAuditRow` has the columns, and the trail
 * filters by them).
 */
const auditActions = {
  // of an entry, its fields and rows
  'entry.create': 'entry',
  'entry.submit': 'entry',
  'entry.status': 'entry',
  'entry.unchanged': 'entry',
  'entry.delete': 'entry',
  'entry.delete_refused': 'entry',
  'entry.restore': 'entry',
  'entry.recalculate': 'entry',
  'entry.empty': 'entry',
  'entry.archive': 'entry',
  'entry.migrate': 'entry',
  'entry.correct': 'entry',
  'entry.unasked': 'entry',
  'item.update': 'entry',
  'item.calculate': 'entry',
  'item.retire': 'entry',
  'item.migrate': 'entry',
  'item.unconverted': 'entry',
  'item.explain': 'entry',
  'item.confirm': 'entry',
  'item.overtaken': 'entry',
  'row.overtaken': 'entry',
  'entry.overtaken': 'entry',
  'row.insert': 'entry',
  'row.delete': 'entry',
  'row.restore': 'entry',
  'row.move': 'entry',
  'row.explain': 'entry',
  'review.verify': 'entry',
  'review.unverify': 'entry',
  'review.exempt': 'entry',
  'review.changed': 'entry',
  'conflict.open': 'entry',
  'conflict.resolve': 'entry',
  'conflict.migrate': 'entry',
  'region.create': 'entry',
  'region.update': 'entry',
  'region.remove': 'entry',
  // of an entry that may not be there yet, nor its center known: a file that it names, typing that was in no operation
  'draft.rescue': 'file',
  'attachment.store': 'file',
  'attachment.refuse': 'file',
  'attachment.view': 'file',
  // of both passes: for those who compare them
  'gap.ignore': 'gap',
  'gap.open': 'gap',
  'gap.migrate': 'gap',
  // of what a device brought, before it has an effect: its center and pass, as far as they are known
  'operation.held': 'operation',
  'operation.inbox': 'operation',
  'operation.released': 'operation',
  'inbox.release': 'operation',
  'inbox.return': 'operation',
  // of a patient
  'patient.enrol': 'patient',
  'patient.identify': 'patient',
  'patient.number_taken': 'patient',
  'patient.update': 'patient',
  'patient.conflict': 'patient',
  'patient.overtaken': 'patient',
  'patient.unchanged': 'patient',
  'patient.remove': 'patient',
  'patient.migrate': 'patient',
  'patient.members': 'patient',
  'patient.experts': 'patient',
  'patient.notify': 'patient',
  'visit.make': 'patient',
  'visit.update': 'patient',
  'visit.conflict': 'patient',
  'visit.overtaken': 'patient',
  'visit.unchanged': 'patient',
  'visit.remove': 'patient',
  'visit.restore': 'patient',
  'folder.remove': 'patient',
  'folder.restore': 'patient',
  'folder.order': 'patient',
  'double.open': 'patient',
  'double.destroy': 'patient',
  'double.merge': 'patient',
  'message.create': 'patient',
  'message.sent': 'patient',
  'message.failed': 'patient',
  'message.no_address': 'patient',
  // of a query: of its page, visit or patient
  'query.raise': 'query',
  'query.ask': 'query',
  'query.promote': 'query',
  'query.reject': 'query',
  'query.answer': 'query',
  'query.requery': 'query',
  'query.close': 'query',
  'query.reopen': 'query',
  'query.cancel': 'query',
  'query.comment': 'query',
  'query.assign': 'query',
  'query.passes': 'query',
  'query.gone': 'query',
  'query.migrate': 'query',
  'query.fileStore': 'query',
  'query.fileRefuse': 'query',
  'query.fileView': 'query',
  // of a center
  'center.create': 'center',
  'center.update': 'center',
  'number.lease': 'center',
  // of a project as a whole
  'project.create': 'project',
  'project.update': 'project',
  'project.configure': 'project',
  'project.status': 'project',
  'project.remove': 'project',
  'project.functions': 'project',
  'review.plan': 'project',
  'database.export': 'project',
  'search.export': 'project',
  'search.save': 'project',
  'search.remove': 'project',
  'report.schedule': 'project',
  'report.scheduleRemove': 'project',
  'member.add': 'project',
  'member.update': 'project',
  'member.remove': 'project',
  'version.create': 'project',
  'version.remove': 'project',
  'version.import': 'project',
  'version.design': 'project',
  'version.profile': 'project',
  'version.judge': 'project',
  'version.sign': 'project',
  'version.lists': 'project',
  'version.page_sort': 'project',
  'version.migration': 'project',
  'version.migrated': 'project',
  'version.migrationAside': 'project',
  'version.migrateAgain': 'project',
  'version.restore': 'project',
  'version.rewritten': 'project',
  'trial.save': 'project',
  'trial.submit': 'project',
  'trial.clear': 'project',
  'template.create': 'project',
  'template.remove': 'project',
  'patient.export': 'project',
  'dataset.save': 'project',
  'dataset.remove': 'project',
  'dataset.run': 'project',
  'dataset.approve': 'project',
  'dataset.refuse': 'project',
  'dataset.cancel': 'project',
  'dataset.end': 'project',
  'dataset.fail': 'project',
  'dataset.expire': 'project',
  'dataset.download': 'project',
  'dataset.link': 'project',
  'dataset.linkEnd': 'project',
  'dataset.linked': 'project',
  'device.rescue': 'project',
  'dict.create': 'project',
  'dict.update': 'project',
  'dict.remove': 'project',
  'dict.fill': 'project',
  'dict.entry.create': 'project',
  'dict.entry.update': 'project',
  'dict.entry.remove': 'project',
  'demo.create': 'project',
  // For an audit row whose values were taken away: it names that row and none of its values.
  'audit.redact': 'project',
  // of the platform; blocking a device stands in a project's trail too
  'device.register': 'system',
  'device.storage_lost': 'system',
  'device.keys': 'system',
  'device.block': 'system',
  'device.unblock': 'system',
  'user.create': 'system',
  'user.login': 'system',
  'user.login_failed': 'system',
  'user.logout': 'system',
  'user.token_reuse': 'system',
  'user.password_change': 'system',
  'user.password_reset': 'system',
  'user.disable': 'system',
  'user.enable': 'system',
  'user.end_sessions': 'system',
  'user.notice_settings': 'system',
  'user.report_pins': 'system',
  'server.storage': 'system',
  'backup.restore': 'system',
  'backup.recovered': 'system',
} as const satisfies Readonly<
  Record<string, 'entry' | 'file' | 'gap' | 'operation' | 'patient' | 'query' | 'center' | 'project' | 'system'>
>

export type AuditSubject = (typeof auditActions)[keyof typeof auditActions]

/** All actions, each with what it is about. */
export const auditSubjects: Readonly<Record<string, AuditSubject>> = auditActions

interface AuditWhere {
  readonly action: string
  readonly centerId?: string | null
  readonly patientId?: string | null
  readonly entryId?: string | null
  readonly pass?: number | null
}

/** Which places a row of each kind must name; the others must be empty. */
const places: Readonly<Record<AuditSubject, (row: AuditWhere) => boolean>> = {
  entry: ({ centerId, patientId, entryId, pass }) =>
    isSaid(centerId) && isSaid(patientId) && isSaid(entryId) && isSaid(pass),
  file: ({ patientId, entryId, pass }) => isSaid(patientId) && isSaid(entryId) && isSaid(pass),
  // One pass alone would be half of the truth.
  gap: ({ centerId, patientId, entryId, pass }) =>
    isSaid(centerId) && isSaid(patientId) && isSaid(entryId) && !isSaid(pass),
  operation: ({ pass }) => isSaid(pass),
  patient: ({ centerId, patientId, entryId }) => isSaid(centerId) && isSaid(patientId) && !isSaid(entryId),
  query: ({ centerId, patientId, entryId, pass }) =>
    isSaid(centerId) && isSaid(patientId) && isSaid(entryId) === isSaid(pass),
  center: ({ centerId, patientId, entryId }) => isSaid(centerId) && !isSaid(patientId) && !isSaid(entryId),
  project: ({ patientId, entryId }) => !isSaid(patientId) && !isSaid(entryId),
  system: ({ patientId, entryId }) => !isSaid(patientId) && !isSaid(entryId),
}

function isSaid(column: unknown): boolean {
  return column !== undefined && column !== null
}

/**
 * Whether a row names its place, as its action requires. Otherwise people could read it who may not. An action that
 * is not listed has no place.
 */
export function isPlaced(row: AuditWhere): boolean {
  const subject = auditSubjects[row.action]
  return subject !== undefined && places[subject](row)
}
