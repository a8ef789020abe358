import type { Column, PageOption } from '#core/form/definition/column.ts'
import { newId } from '#core/ids.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

import { seedPatients } from '../sync/seed.ts'
import type { Stage } from '../sync/stage.ts'

/** The data that are taken out and searched: pages of twenty fields at some visits of many subjects. */

export const FIELDS = 20

const numberCodes = (kind: string, count: number) => Array.from({ length: count }, (_, at) => `${kind}${at + 1}`)
const NUMBERS = numberCodes('n', 12)
const CHOICES = numberCodes('c', 4)
const DAYS = numberCodes('d', 2)
const TEXTS = numberCodes('t', 2)
export const CODES: readonly string[] = [...NUMBERS, ...CHOICES, ...DAYS, ...TEXTS]

export const DATA_OPTION: PageOption = {
  column: [
    ...columns(NUMBERS, '测量值', { type: 'number', zl: { unit: 'mmHg' } }),
    ...columns(CHOICES, '症状', {
      type: 'radio',
      dicData: ['无', '轻', '中', '重'].map((label, value) => ({ label, value: String(value) })),
    }),
    ...columns(DAYS, '日期', { type: 'date' }),
    ...columns(TEXTS, '说明', { type: 'input' }),
  ],
}

function columns(props: readonly string[], label: string, more: Omit<Column, 'prop' | 'label'>): readonly Column[] {
  return props.map((prop, at) => ({ prop, label: `${label} ${at + 1}`, ...more }))
}

interface Amount {
  readonly patients: number
  readonly visits: number
  /** How many of the study's pages are filled in at each visit. */
  readonly pages: number
}

/** Adds visits with the pages of the first, and fills them in. Returns the visits in their order. */
export async function seedData(stage: Stage, { patients, visits, pages }: Amount): Promise<readonly string[]> {
  const { database, study } = stage
  const folders = [study.folderId, ...Array.from({ length: visits - 1 }, newId)]
  await database.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, code, sort)
     SELECT $1, v.id, concat('访视 ', v.at), concat('V', v.at), v.at FROM unnest($2::uuid[]) WITH ORDINALITY AS v (id, at)
     ON CONFLICT DO NOTHING`,
    [study.versionId, folders],
  )
  await database.query(
    `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, sort, option)
     SELECT p.version_id, p.page_id, f.id, p.name, p.code, p.sort, p.option
     FROM crf_page p CROSS JOIN unnest($2::uuid[]) AS f (id) WHERE p.version_id = $1 ON CONFLICT DO NOTHING`,
    [study.versionId, folders],
  )
  const people = await seedPatients(stage, patients)
  for (let at = 0; at < people.length; at += AT_ONCE) {
    await fillIn(stage, people.slice(at, at + AT_ONCE), folders, study.pageIds.slice(0, pages))
    if (at > 0 && at % (50 * AT_ONCE) === 0) console.log(`  … ${at} of ${people.length} subjects are filled in`)
  }
  // As the server's database does by itself some time after this many rows.
  await database.query('VACUUM ANALYZE')
  return folders
}

const AT_ONCE = 20

/** Values are made where they are kept: a million pages would be long on their way. */
async function fillIn(
  { database, study, coordinator }: Stage,
  people: readonly string[],
  folders: readonly string[],
  pages: readonly string[],
): Promise<void> {
  await database.query(
    `INSERT INTO entry (
       id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, version_id, status,
       rev, "values", missing, data_hash, updated_by, progress)
     SELECT gen_random_uuid(), $1, $2, p.id, f.id, '0', g.id, '0', 1, $3, '${SUBMITTED}',
       1, ${VALUES}, '{}', repeat('0', 64), $4, jsonb_build_object('total', ${FIELDS}, 'answered', ${FIELDS}, 'missing', 0)
     FROM unnest($5::uuid[]) AS p (id) CROSS JOIN unnest($6::uuid[]) AS f (id) CROSS JOIN unnest($7::uuid[]) AS g (id)`,
    [study.projectId, study.centerId, study.versionId, coordinator.userId, people, folders, pages],
  )
}

const VALUES = `jsonb_build_object(${[
  ...NUMBERS.map((code, at) => `'${code}', round((random() * ${40 + 20 * at})::numeric, ${at % 2})`),
  ...CHOICES.map((code) => `'${code}', (floor(random() * 4)::integer)::text`),
  ...DAYS.map((code) => `'${code}', (date '2025-01-01' + floor(random() * 600)::integer)::text`),
  ...TEXTS.map((code) => `'${code}', concat('活动后胸闷、气短 ', floor(random() * 1000)::integer)`),
].join(', ')})`
