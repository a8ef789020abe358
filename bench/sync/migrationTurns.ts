import type { Pool } from 'pg'
import type { Column, PageOption } from '#core/form/definition/column.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { dataHash } from '#server/areas/entry/store.ts'
import { signInByApi } from '#tests/server/support/apiUser.ts'

import { median, percentile } from '../figures.ts'
import { ADMIN_PASSWORD } from './stage.ts'
import type { Stage } from './stage.ts'
import { seedPatients } from './seed.ts'
import { ITEMS, PAGES, PAGE_OPTION, pageValues, seedRandom, targetOf } from './study.ts'

/**
 * One patient's turn in a migration: the real server's own job migrates patients from release to release, each with
 * many pages of forty items. On every page a release changes a code, the stored form of a choice, and the questions. A
 * job's transaction may take at most 200 ms.
 */

const PATIENTS = 40
const TURN_MS = 200
const WAIT_MS = 120_000

/** What a release changes: a few fields of every page, as an amendment does, or the code of every field. */
const KINDS = ['amended', 'rewritten'] as const
type Kind = (typeof KINDS)[number]

/** @param pages entries of each patient */
export async function migrationTurns(
  stage: Stage,
  runs: number,
  pages: number,
  patients: number = PATIENTS,
): Promise<boolean> {
  await seedPages(stage, await seedPatients(stage, patients), pages)
  console.log(
    `\nturns of a migration: ${patients} patients × ${pages} pages × ${ITEMS} items, ${runs} releases of each kind`,
  )
  const releases = new Releases(stage)
  const measured: Record<Kind, (readonly Turn[])[]> = { amended: [], rewritten: [] }
  for (let run = 0; run < runs; run += 1) for (const kind of KINDS) measured[kind].push(await releases.migrate(kind))
  return KINDS.map((kind) => report(kind, measured[kind])).every(Boolean)
}

function report(kind: Kind, runs: readonly (readonly Turn[])[]): boolean {
  // The first turn of a release compiles its pages.
  const firsts = runs.flatMap(([first]) => (first === undefined ? [] : [first.millis]))
  const others = runs.flatMap((turns) => turns.slice(1))
  const times = others.map(({ millis }) => millis)
  const p95 = percentile(times, 0.95)
  console.log(
    `  ${kind}, ${median(others.map(({ items }) => items))} items of a patient: median ${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (budget ${TURN_MS} ms), longest ${Math.max(...times).toFixed(0)} ms; the first of a release ${median(firsts).toFixed(0)} ms`,
  )
  return p95 <= TURN_MS
}

/** Fills in pages of every patient; more pages than the study has go to a second and a third visit. */
async function seedPages(
  { database, study, coordinator }: Stage,
  patients: readonly string[],
  pages: number,
): Promise<void> {
  const random = seedRandom(11)
  const visits = ['0', newId(), newId(), newId(), newId()]
  for (const patientId of patients) {
    const rows = Array.from({ length: pages }, (_, at) => {
      const target = {
        ...targetOf(study, patientId, at % PAGES),
        folderRepeat: visits[Math.floor(at / PAGES)] ?? newId(),
      }
      const values = Object.fromEntries(pageValues(random))
      return {
        id: entryId(target),
        page: target.pageId,
        repeat: target.folderRepeat,
        values,
        hash: dataHash({ values, missing: {} }),
      }
    })
    await database.query(
      `INSERT INTO entry (id, project_id, center_id, patient_id, folder_id, folder_repeat, page_id, page_repeat, pass, version_id, status, rev, "values", missing, data_hash, updated_by)
       SELECT r.id, $1, $2, $3, $4, r.repeat, r.page, '0', 1, $5, 'other', 1, r.values, '{}', r.hash, $6
       FROM jsonb_to_recordset($7) AS r (id uuid, page uuid, repeat text, values jsonb, hash text)`,
      [
        study.projectId,
        study.centerId,
        patientId,
        study.folderId,
        study.versionId,
        coordinator.userId,
        JSON.stringify(rows),
      ],
    )
  }
}

/** A patient's turn: how long it took, ms, and how many items changed. */
interface Turn {
  readonly millis: number
  readonly items: number
}

/** One release after another, each from the one before. */
class Releases {
  readonly #stage: Stage
  #option = JSON.stringify(PAGE_OPTION)
  #no = 1

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Releases the next version and waits until all patients are migrated. */
  async migrate(kind: Kind): Promise<readonly Turn[]> {
    const { address, database, study } = this.#stage
    const { projectId } = study
    this.#no += 1
    const renamed = new Map(
      fieldsIn(this.#option).flatMap((prop) =>
        kind === 'rewritten' || prop.endsWith(NOTE)
          ? [[prop, `v${this.#no}_${prop.replace(/^v\d+_/, '')}`] as const]
          : [],
      ),
    )
    const coded = this.#option.replaceAll(/\b(?:v\d+_)?f\d+\b/g, (prop) => renamed.get(prop) ?? prop)
    this.#option = JSON.stringify(withChoices(JSON.parse(coded) as PageOption, this.#no))
    const pages = Array.from({ length: PAGES }, (_, at) => ({
      pageName: `第 ${at + 1} 页`,
      pageCode: `P${at + 1}`,
      repeatable: false,
      option: this.#option,
    }))
    const admin = await signInByApi(address, 'admin', ADMIN_PASSWORD)
    const { id: crfId } = await admin.call<{ id: string }>('version.save', {
      body: { projectId, remark: `第 ${this.#no} 版` },
    })
    await admin.call('version.import', {
      query: { crfId },
      body: {
        definition: { folders: [{ folderName: '基线', folderCode: 'V1', pages }] },
        sourceName: 'bench.csv',
        source: 'bench',
      },
    })
    await admin.call('version.releaseTest', { query: { crfId } })
    const fields = study.pageIds.flatMap((pageId) =>
      Array.from(renamed, ([from, to]) => ({ pageId, table: null, from, to })),
    )
    const { taskId } = await admin.call<{ taskId: string }>('version.release', {
      query: { crfId },
      body: { mappings: { fields, choices: [] } },
    })
    return turnsOf(database, taskId)
  }
}

/** The field whose code every release changes. */
const NOTE = 'f8'

function fieldsIn(option: string): readonly string[] {
  return [...new Set(option.match(/\b(?:v\d+_)?f\d+\b/g))]
}

/** The first list of twelve choices is stored differently from release to release. */
function withChoices(option: PageOption, no: number): PageOption {
  const rewriteColumn = (column: Column): Column =>
    column.prop.endsWith('f5') && column.dicData !== undefined
      ? {
          ...column,
          dicData: column.dicData.map((choice) => ({
            ...choice,
            value: `${String(choice.value).split('_')[0]}_${no}`,
          })),
        }
      : column
  return {
    ...option,
    group: option.group?.map((group) => ({ ...group, column: group.column?.map(rewriteColumn) })),
  } as PageOption
}

async function turnsOf(database: Pool, taskId: string): Promise<readonly Turn[]> {
  const until = Date.now() + WAIT_MS
  for (;;) {
    const { rows } = await database.query<{ state: string; startedAt: Date }>(
      'SELECT state, started_at AS "startedAt" FROM migration_task WHERE id = $1',
      [taskId],
    )
    if (rows[0]?.state === 'done') break
    if (rows[0]?.state === 'failed' || Date.now() > until)
      throw new Error(`the migration is ${rows[0]?.state ?? 'gone'}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  // A turn's audit stamp is made at its start, its booking at its end.
  const { rows } = await database.query<Turn>(
    `SELECT extract(epoch FROM m.at - a.received_at)::float8 * 1000 AS millis, (v.new_value->>'converted')::integer AS items
     FROM migration_patient m
     JOIN audit a ON a.patient_id = m.patient_id AND a.action = 'patient.migrate' AND a.version_id = (SELECT version_id FROM migration_task WHERE id = $1)
     JOIN audit_value v ON v.audit_id = a.id
     WHERE m.task_id = $1 ORDER BY a.seq`,
    [taskId],
  )
  return rows
}
