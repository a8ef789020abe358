import type { VersionRow } from '#core/api/sync/rows.ts'
import { PAGE } from '#tests/offline/support/tablet.ts'
import { page, version } from '#tests/src/data/support/ward.ts'

/** Releases as a tablet gets them: versions that follow one another, with what is called otherwise since. */

export interface Release {
  readonly id: string
  readonly no: number
  readonly columns: readonly object[]
  readonly from?: string
  readonly renamed?: readonly (readonly [table: string | null, from: string, to: string])[]
  /** Choices of a field of the page that are written down otherwise. */
  readonly recoded?: readonly (readonly [code: string, from: string, to: string])[]
}

/** A version whose one page has these fields. */
export function release({ id, no, columns, from, renamed = [], recoded = [] }: Release): VersionRow {
  const folders = version.folders.map((folder) => ({
    ...folder,
    pages: [{ ...page, option: JSON.stringify({ column: columns }) }],
  }))
  const fields = renamed.map(([of, code, to]) => ({ pageId: PAGE, table: of, from: code, to }))
  const choices = recoded.map(([code, of, to]) => ({ pageId: PAGE, table: null, code, from: of, to }))
  return {
    ...version,
    id,
    versionNo: no,
    folders,
    ...(from === undefined ? {} : { migrates: true, broughtFrom: { versionId: from, fields, choices } }),
  }
}
