/**
 * Permission codes (specification §6, and our own for what it does not name), and what each role holds unless a project
 * says otherwise. The server enforces them in every query and service; the client only reflects them.
 */

export const permissionCodes = [
  // Specification §6
  'database_submit_page',
  'query_add',
  'mem',
  'project_crf_new',
  'project_crf_draft_publish',
  'project_crf_draft_del',
  'project_crf_test_check',
  'project_crf_test_publish',
  'project_crf_test_revent',
  'ai',
  'view_patient_recruitment',
  'project_edit',
  'project_enable_resources',
  'project_toggle_status',
  'project_del',
  // What the specification does not name.
  'patient_enrol',
  'patient_edit',
  'patient_remove',
  'patient_sensitive',
  'visit_edit',
  'attach_edit',
  'double_entry',
  'double_merge',
  'query_answer',
  'query_close',
  'sdv_verify',
  'data_review',
  'sign',
  'freeze',
  'lock',
  'unlock',
  'encode',
  'encode_approve',
  'import',
  'export',
  'export_identified',
  'audit_view',
  'report_view',
  'database_view',
  'sql_view',
  'search_view',
  'dict_edit',
  'design_edit',
  'rule_edit',
  'device_manage',
] as const

export type PermissionCode = (typeof permissionCodes)[number]

/** Project roles (dictionary ProjectMemRoleEnum). ADMIN is what a platform administrator is inside every project. */
export const projectRoles = ['ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** Bringing versions to their release. */
const versionWork = [
  'project_crf_new',
  'project_crf_draft_publish',
  'project_crf_draft_del',
  'project_crf_test_publish',
  'project_crf_test_revent',
] as const satisfies readonly PermissionCode[]

/** Bringing versions to their release, and what else is done to a project as a whole short of deleting it. */
export const projectWork = [
  ...versionWork,
  'project_edit',
  'project_enable_resources',
  'project_toggle_status',
] as const satisfies readonly PermissionCode[]

/** What a center does: its patients, what is entered about them, and answers to queries. */
const centerWork = [
  'database_submit_page',
  'patient_enrol',
  'patient_edit',
  'patient_sensitive',
  'visit_edit',
  'attach_edit',
  'query_answer',
] as const satisfies readonly PermissionCode[]

/** What everybody may look at, of the patients they see. */
const sight = ['report_view', 'database_view', 'search_view', 'ai'] as const satisfies readonly PermissionCode[]

const defaults: Readonly<Record<Exclude<ProjectRole, 'ADMIN'>, readonly PermissionCode[]>> = {
  PI: [...centerWork, 'sign', 'export', 'audit_view', ...sight, 'view_patient_recruitment'],
  PM: ['mem', ...projectWork, 'audit_view', ...sight, 'view_patient_recruitment', 'unlock', 'device_manage'],
  CRA: ['query_add', 'query_close', 'sdv_verify', 'audit_view', ...sight],
  CRC: [
    ...centerWork,
    'patient_remove',
    'double_entry',
    'project_crf_test_check',
    ...sight,
    'view_patient_recruitment',
  ],
  DBD: [
    'query_add',
    'query_close',
    'data_review',
    'freeze',
    'lock',
    'encode',
    'encode_approve',
    'import',
    'export',
    'audit_view',
    ...sight,
    'sql_view',
    'dict_edit',
    'design_edit',
    'rule_edit',
    'double_merge',
    ...versionWork,
    'project_crf_test_check',
    'device_manage',
  ],
}

/**
 * What a role holds by default. An administrator holds every code except those that make clinical data or a clinical
 * judgement.
 */
export function defaultPermissions(role: ProjectRole): readonly PermissionCode[] {
  if (role !== 'ADMIN') return defaults[role]
  return permissionCodes.filter((code) => !notForAdministrators.has(code))
}

/**
 * Running the platform is no licence to enter, verify, sign or code a patient's data (ICH E6(R3): separation of
 * duties).
 */
const notForAdministrators: ReadonlySet<PermissionCode> = new Set([
  'database_submit_page',
  'patient_enrol',
  'patient_edit',
  'double_entry',
  'query_answer',
  'sdv_verify',
  'sign',
  'encode',
  'encode_approve',
  'patient_sensitive',
])
