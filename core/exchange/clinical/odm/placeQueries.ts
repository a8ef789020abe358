import { WHOLE_ROW } from '#core/review/queryThread.ts'

import { filePlaceOf } from './fileVersions.ts'
import type { FormNode, GroupNode } from './nodes.ts'
import { emptyNode } from './nodes.ts'
import type { ClinicalQuery, ClinicalSubject, TellNote } from '#core/exchange/clinical/subject.ts'
import type { SubjectTree } from './subjectTree.ts'
import { tableOid } from './subjectTree.ts'

/**
 * Hangs the queries of a subject on what they are about: a subject, a visit, a page, a row or a field. What is not
 * among the data yet, as a page that is not begun, is made for it, empty.
 *
 * @param latest the version of what no entry and no query says a version of
 */
export function placeQueries(
  subject: ClinicalSubject,
  treeOf: (versionId: string) => SubjectTree | null,
  latest: string | undefined,
  { isTrail, tell }: { readonly isTrail: boolean; readonly tell: TellNote },
): void {
  for (const query of subject.queries) {
    const versionId = entryOf(subject, query)?.versionId ?? query.versionId ?? latest
    const tree = versionId === undefined ? null : treeOf(versionId)
    const holder = tree === null ? null : holderOf(tree, query, isTrail)
    if (holder === null)
      tell({ subject: subject.key, folder: '', page: '', table: null, field: null, what: 'no-place' })
    else holder.queries.push(query)
  }
}

function entryOf({ pages }: ClinicalSubject, { place }: ClinicalQuery) {
  return pages.find(
    (page) =>
      page.folderId === place.folderId &&
      page.folderRepeat === place.folderRepeat &&
      page.pageId === place.pageId &&
      page.pageRepeat === place.pageRepeat &&
      page.pass === place.pass,
  )
}

type Holder = Pick<GroupNode, 'queries'>

function holderOf(tree: SubjectTree, { place }: ClinicalQuery, isTrail: boolean): Holder | null {
  const { folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass } = place
  if (folderId === null || folderRepeat === null) return tree.node
  if (pageId === null || pageRepeat === null || pass === null) return tree.event(folderId, folderRepeat)
  const found = tree.form({ folderId, folderRepeat, pageId, pageRepeat, pass, parentEntryId })
  return found === null ? null : inForm(tree, found, place, isTrail)
}

function inForm(
  tree: SubjectTree,
  { page, form }: { readonly page: Parameters<typeof filePlaceOf>[0]; readonly form: FormNode },
  { table, rid, code }: ClinicalQuery['place'],
  isTrail: boolean,
): Holder {
  if (code === null) return form
  if (code === WHOLE_ROW) {
    const oid = table === null ? null : tableOid(page, table)
    return oid === null || rid === null ? form : tree.group(form, oid, rid)
  }
  const known = filePlaceOf(page, table, code)
  // A table as a whole, and a field of another version: the page stands for it.
  if (known === null) return form
  const group = tree.group(form, known.group.oid, rid)
  const item = group.items.find(({ oid }) => oid === known.item.oid)
  if (item !== undefined) return item
  const made = {
    ...emptyNode(),
    oid: known.item.oid,
    texts: [],
    isNull: !isTrail,
    transaction: isTrail ? ('Context' as const) : null,
  }
  group.items.push(made)
  return made
}
