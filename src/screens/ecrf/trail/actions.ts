/** What the trail says of a patient, by the key of its words. */
const ACTIONS = {
  'item.update': 'item_update',
  'item.calculate': 'item_calculate',
  'item.overtaken': 'item_overtaken',
  'item.retire': 'item_retire',
  'item.explain': 'item_explain',
  'item.confirm': 'item_confirm',
  'item.migrate': 'item_migrate',
  'item.unconverted': 'item_unconverted',
  'row.insert': 'row_insert',
  'row.move': 'row_move',
  'row.delete': 'row_delete',
  'row.restore': 'row_restore',
  'row.explain': 'row_explain',
  'row.overtaken': 'row_overtaken',
  'entry.create': 'entry_create',
  'entry.save': 'entry_save',
  'entry.submit': 'entry_submit',
  'entry.correct': 'entry_correct',
  'entry.status': 'entry_status',
  'entry.delete': 'entry_delete',
  'entry.restore': 'entry_restore',
  'entry.overtaken': 'entry_overtaken',
  'entry.recalculate': 'entry_recalculate',
  'entry.migrate': 'entry_migrate',
  'entry.archive': 'entry_archive',
  'entry.empty': 'entry_empty',
  'entry.unchanged': 'entry_unchanged',
  'entry.unasked': 'entry_unasked',
  'draft.rescue': 'draft_rescue',
  'conflict.open': 'conflict_open',
  'conflict.resolve': 'conflict_resolve',
  'conflict.migrate': 'conflict_migrate',
  'patient.enrol': 'patient_enrol',
  'patient.identify': 'patient_identify',
  'patient.number_taken': 'patient_number_taken',
  'patient.update': 'patient_update',
  'patient.conflict': 'patient_conflict',
  'patient.overtaken': 'patient_overtaken',
  'patient.unchanged': 'patient_unchanged',
  'patient.remove': 'patient_remove',
  'patient.migrate': 'patient_migrate',
  'patient.export': 'patient_export',
  'patient.experts': 'patient_expert',
  'patient.members': 'patient_member',
  'patient.notify': 'patient_notify',
  'visit.make': 'visit_make',
  'visit.update': 'visit_update',
  'visit.conflict': 'visit_conflict',
  'visit.overtaken': 'visit_overtaken',
  'visit.unchanged': 'visit_unchanged',
  'visit.remove': 'visit_remove',
  'visit.restore': 'visit_restore',
  'folder.config': 'folder_config',
  'folder.remove': 'folder_remove',
  'folder.restore': 'folder_restore',
  'folder.order': 'folder_order',
  'attachment.store': 'attachment_store',
  'attachment.refuse': 'attachment_refuse',
  'attachment.view': 'attachment_view',
  'region.create': 'region_create',
  'region.update': 'region_update',
  'region.remove': 'region_remove',
  'message.create': 'message_create',
  'message.sent': 'message_sent',
  'message.failed': 'message_failed',
  'message.no_address': 'message_no_address',
  'double.open': 'double_open',
  'double.destroy': 'double_destroy',
  'double.merge': 'double_merge',
  'gap.ignore': 'gap_ignore',
  'gap.open': 'gap_open',
  'gap.migrate': 'gap_migrate',
  'operation.held': 'operation_held',
  'operation.inbox': 'operation_inbox',
  'operation.released': 'operation_released',
  'inbox.release': 'inbox_release',
  'inbox.return': 'inbox_return',
} as const

type ActionKey = (typeof ACTIONS)[keyof typeof ACTIONS]

/** The key of an action's words; null for one that no word is known for. */
export function actionKey(action: string): ActionKey | null {
  return action in ACTIONS ? ACTIONS[action as keyof typeof ACTIONS] : null
}

/** What the server did by itself after something that a person did. */
const AUTOMATIC: ReadonlySet<string> = new Set(['item.calculate', 'entry.recalculate', 'entry.status', 'item.migrate', 'item.unconverted', 'entry.migrate', 'entry.archive', 'entry.unasked', 'conflict.migrate', 'gap.migrate', 'patient.migrate', 'operation.released', 'message.sent', 'message.failed', 'message.no_address'])

export function isAutomatic(action: string): boolean {
  return AUTOMATIC.has(action)
}

/** Whose values are about the line's own keeping: they say nothing to a reader. */
const WITHOUT_VALUES: ReadonlySet<string> = new Set([
  'row.insert', 'row.move', 'row.delete', 'row.restore', 'row.explain', 'row.overtaken', 'entry.overtaken', 'entry.create', 'entry.delete', 'entry.restore', 'entry.recalculate', 'entry.unchanged', 'entry.unasked', 'entry.archive', 'conflict.migrate', 'gap.migrate', 'patient.migrate',
  'draft.rescue', 'visit.make', 'visit.unchanged', 'double.open', 'double.destroy', 'double.merge', 'operation.held', 'operation.inbox',
  'operation.released', 'inbox.release', 'inbox.return', 'patient.unchanged', 'patient.remove', 'visit.remove', 'visit.restore', 'folder.remove', 'folder.restore',
  'region.create', 'region.update', 'region.remove', 'message.create', 'message.sent', 'message.failed', 'message.no_address',
])

export function hasValues(action: string): boolean {
  return !WITHOUT_VALUES.has(action)
}
