import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

/**
 * What the running server may do to each table, and nothing more: s(elect), i(nsert), u(pdate), d(elete). Whoever adds
 * a table adds its line, with the least that the server needs; what is written once is never `u` or `d`.
 */
const RIGHTS: Readonly<Record<string, string>> = {
  app_user: 'siu',
  attachment: 'siu',
  attachment_piece: 'sid',
  attachment_region: 'siu',
  audit: 'si',
  audit_link: 'si',
  audit_value: 'si',
  captcha: 'sid',
  center: 'siu',
  change: 'siu',
  client_log: 'sid',
  conflict: 'siu',
  crf_approval: 'siu',
  crf_folder: 'siud',
  crf_page: 'siud',
  crf_source: 'si',
  crf_version: 'siu',
  data_set: 'siu',
  data_set_link: 'siu',
  data_set_run: 'siu',
  design_state: 'siud',
  design_text: 'sid',
  device: 'siu',
  device_key: 'si',
  device_key_user: 'si',
  device_user: 'si',
  double_entry: 'siu',
  entry: 'siu',
  gap_ignored: 'siud',
  inbox: 'siu',
  job: 'siu',
  login_failure: 'sid',
  member: 'siu',
  member_center: 'siu',
  migration_patient: 'si',
  migration_task: 'siu',
  notice: 'siu',
  notice_message: 'siu',
  notice_round: 'siu',
  notice_setting: 'siu',
  notice_told: 'siu',
  number_lease: 'siu',
  operation: 'si',
  pass_author: 'si',
  patient: 'siu',
  patient_member: 'siu',
  patient_message: 'siu',
  project: 'siu',
  project_dict: 'siu',
  query: 'siu',
  query_act: 'si',
  report_pin: 'sid',
  report_schedule: 'siu',
  resent: 'si',
  review_count: 'siud',
  review_mark: 'siu',
  review_plan: 'siu',
  rule_fault: 'siu',
  schema_migration: 's',
  search: 'siu',
  server_pulse: 'siud',
  server_secret: 'si',
  session: 'siud',
  setting: 'siu',
  study_number: 'siu',
  system_chain: 'su',
  template: 'siu',
  trial_entry: 'siu',
  version_migration: 'si',
  visit: 'siu',
}

/**
 * Columns that may be changed of a row that may not. An operation is completed once, in the transaction that made it.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  operation: ['center_id', 'head', 'outcome', 'reason', 'result', 'seq'],
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const LETTERS: Readonly<Record<string, string>> = { SELECT: 's', INSERT: 'i', UPDATE: 'u', DELETE: 'd' }

it('the server has these rights on the tables, and no others', async () => {
  const { rows } = await database.ownerPool.query<{ name: string; rights: string[] }>(`
    SELECT c.relname::text AS name, ARRAY(SELECT p.privilege_type::text FROM aclexplode(c.relacl) p WHERE p.grantee = 'zhenglu_app'::regrole) AS rights
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname`)
  const found = rows.map(({ name, rights }) => [
    name,
    Object.keys(LETTERS)
      .filter((right) => rights.includes(right))
      .map((right) => LETTERS[right])
      .join(''),
    rights.filter((right) => !(right in LETTERS)),
  ])
  expect(found).toEqual(Object.entries(RIGHTS).map(([name, rights]) => [name, rights, []]))
})

it('single columns are given of these tables only', async () => {
  const { rows } = await database.ownerPool.query<{ name: string; columns: string[] }>(`
    SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, aclexplode(a.attacl) p
    WHERE c.relnamespace = 'public'::regnamespace AND p.grantee = 'zhenglu_app'::regrole AND p.privilege_type = 'UPDATE' GROUP BY c.relname`)
  expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual(COLUMNS)
})

it('neither everybody nor the console may write anything, and the server may make no tables', async () => {
  const { rows } = await database.ownerPool.query(`
    SELECT c.relname, p.privilege_type FROM pg_class c, aclexplode(c.relacl) p
    WHERE c.relnamespace = 'public'::regnamespace AND (p.grantee = 0 OR p.grantee = 'zhenglu_console'::regrole) AND p.privilege_type <> 'SELECT'`)
  expect(rows).toEqual([])
  await expect(database.pool.query('CREATE TABLE mine (a int)')).rejects.toMatchObject({ code: '42501' })
})
