import type { DesignStep } from '#core/api/calls/design.ts'
import type { DesignStepKind, TouchedNames } from '#core/wire/designStep.ts'
import { TOUCHED_PARTS, joinedNames } from '#core/wire/designStep.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { newId } from '#core/ids.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of the former states of a draft: each as it was before a change. */

/** Edits of one person within this time, in ms, are one line in the history, as long as nothing else comes between. */
const GOES_ON_MS = 10 * 60 * 1000
/** How many states are kept, of edits and of all other changes; the oldest are removed. */
const MOST_EDITS = 100
const MOST_OTHERS = 100
/** Names that are listed of one part. */
const MOST_NAMES = 10

/** A change of a draft. */
export interface Done {
  readonly kind: DesignStepKind
  readonly by: string
  readonly at: string
  readonly fromRev: number
  readonly touched: TouchedNames
  readonly source?: string
  readonly mode?: ImportMode
}

interface StateBefore {
  readonly id: string
  readonly version: { readonly id: string; readonly project_id: string }
  readonly done: Done
  readonly folders: readonly object[]
}

const KEEP_STATE = prepare<StateBefore>('design_state_keep', (parameter) => {
  const at = ({ done }: StateBefore) => done.at
  const state = columns<StateBefore>(parameter, {
    id: ({ id }) => id,
    project_id: ({ version }) => version.project_id,
    version_id: ({ version }) => version.id,
    kind: ({ done }) => done.kind,
    from_rev: ({ done }) => done.fromRev,
    to_rev: ({ done }) => done.fromRev + 1,
    done_by: ({ done }) => done.by,
    begun_at: at,
    done_at: at,
    source: ({ done }) => done.source ?? null,
    mode: ({ done }) => done.mode ?? null,
    touched: ({ done }) => JSON.stringify(done.touched),
    folders: ({ folders }) => JSON.stringify(folders),
  })
  return `INSERT INTO design_state (${state.names}) VALUES (${state.places})`
})

/**
 * Keeps a draft as it was before a change.
 *
 * @returns the id of the state
 */
export async function keepState(
  transaction: Queryable,
  version: { readonly id: string; readonly project_id: string },
  before: readonly FolderRow[],
  done: Done,
): Promise<string> {
  const goneOn = done.kind === 'edit' ? await goOn(transaction, version.id, done) : null
  if (goneOn !== null) return goneOn
  const texts = new Map(before.flatMap(({ pages }) => pages).map(({ option }) => [sha256(option), option]))
  await transaction.query(
    `INSERT INTO design_text (version_id, sha256, option) SELECT $1, t.sha256, t.option FROM jsonb_to_recordset($2) AS t (sha256 text, option text)
     ON CONFLICT DO NOTHING`,
    [version.id, JSON.stringify(Array.from(texts, ([hash, option]) => ({ sha256: hash, option })))],
  )
  const id = newId()
  const folders = before.map((folder) => ({
    ...folder,
    pages: folder.pages.map(({ option, ...page }) => ({ ...page, sha256: sha256(option) })),
  }))
  await transaction.query(KEEP_STATE({ id, version, done, folders }))
  await forgetOldest(transaction, version.id)
  return id
}

/**
 * The last edit, where this edit continues it: its earlier state is the one to go back to. Null where this edit does
 * not continue it.
 */
async function goOn(transaction: Queryable, versionId: string, done: Done): Promise<string | null> {
  const { rows } = await transaction.query<{
    id: string
    kind: DesignStepKind
    done_by: string
    begun_at: string
    to_rev: number
    touched: TouchedNames
  }>(
    'SELECT id, kind, done_by, begun_at, to_rev, touched FROM design_state WHERE version_id = $1 ORDER BY to_rev DESC LIMIT 1',
    [versionId],
  )
  const [last] = rows
  if (
    last === undefined ||
    last.kind !== 'edit' ||
    last.done_by !== done.by ||
    last.to_rev !== done.fromRev ||
    Date.parse(done.at) - Date.parse(last.begun_at) > GOES_ON_MS
  )
    return null
  const touched = joinedNames(last.touched, done.touched)
  await transaction.query('UPDATE design_state SET to_rev = $2, done_at = $3, touched = $4 WHERE id = $1', [
    last.id,
    done.fromRev + 1,
    done.at,
    JSON.stringify(touched),
  ])
  return last.id
}

async function forgetOldest(transaction: Queryable, versionId: string): Promise<void> {
  const { rowCount } = await transaction.query(
    `DELETE FROM design_state WHERE id IN (
       SELECT id FROM (SELECT id, kind, row_number() OVER (PARTITION BY kind = 'edit' ORDER BY to_rev DESC) AS place FROM design_state WHERE version_id = $1) s
       WHERE place > CASE WHEN kind = 'edit' THEN $2::integer ELSE $3::integer END)`,
    [versionId, MOST_EDITS, MOST_OTHERS],
  )
  if (rowCount === 0) return
  await transaction.query(
    `DELETE FROM design_text t WHERE t.version_id = $1 AND NOT EXISTS (
       SELECT FROM design_state s CROSS JOIN jsonb_array_elements(s.folders) f CROSS JOIN jsonb_array_elements(f -> 'pages') p
       WHERE s.version_id = $1 AND p ->> 'sha256' = t.sha256)`,
    [versionId],
  )
}

interface ActRecord {
  readonly id: string
  readonly kind: DesignStepKind
  readonly from_rev: number
  readonly to_rev: number
  readonly done_by: string
  readonly by_name: string
  readonly begun_at: string
  readonly done_at: string
  readonly source: string | null
  readonly mode: ImportMode | null
  readonly touched: TouchedNames
  readonly total: number
}

/** The changes of a draft, the latest first. */
export async function listActs(
  transaction: Queryable,
  versionId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly DesignStep[]; readonly total: number }> {
  const { rows } = await transaction.query<ActRecord>({
    name: 'design_acts',
    text: `
      SELECT s.id, s.kind, s.from_rev, s.to_rev, s.done_by, u.real_name AS by_name, s.begun_at, s.done_at, s.source, s.mode, s.touched, count(*) OVER () AS total
      FROM design_state s JOIN app_user u ON u.id = s.done_by WHERE s.version_id = $1 ORDER BY s.to_rev DESC LIMIT $2 OFFSET $3`,
    values: [versionId, page.limit, page.offset],
  })
  return { rows: rows.map(toAct), total: rows[0]?.total ?? 0 }
}

function toAct({
  id,
  kind,
  from_rev,
  to_rev,
  done_by,
  by_name,
  begun_at,
  done_at,
  source,
  mode,
  touched,
}: ActRecord): DesignStep {
  const parts = TOUCHED_PARTS.flatMap((part) =>
    touched[part].length === 0
      ? []
      : [{ part, count: touched[part].length, names: touched[part].slice(0, MOST_NAMES) }],
  )
  return {
    id,
    kind,
    fromRev: from_rev,
    toRev: to_rev,
    byId: done_by,
    byName: by_name,
    begunAt: begun_at,
    at: done_at,
    source,
    mode,
    parts,
  }
}

/** A former state of a draft, with its whole definition; null where no state has that id. */
export async function findState(
  transaction: Queryable,
  versionId: string,
  id: string,
): Promise<readonly FolderRow[] | null> {
  const { rows } = await transaction.query<{
    folders: readonly (Omit<FolderRow, 'pages'> & {
      readonly pages: readonly (Omit<FolderRow['pages'][number], 'option'> & { readonly sha256: string })[]
    })[]
  }>('SELECT folders FROM design_state WHERE version_id = $1 AND id = $2', [versionId, id])
  const [state] = rows
  if (state === undefined) return null
  const texts = await transaction.query<{ sha256: string; option: string }>(
    'SELECT sha256, option FROM design_text WHERE version_id = $1 AND sha256 = ANY ($2)',
    [versionId, state.folders.flatMap(({ pages }) => pages.map((page) => page.sha256))],
  )
  const byHash = new Map(texts.rows.map((row) => [row.sha256, row.option]))
  return state.folders.map((folder) => ({
    ...folder,
    pages: folder.pages.map(({ sha256: hash, ...page }) => ({ ...page, option: byHash.get(hash) ?? '' })),
  }))
}
