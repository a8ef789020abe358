import { isRecord } from '#core/form/definition/option.ts'

import type { Design, DesignColumn, DesignPage } from './design.ts'
import type { DesignFieldKey } from './designEdit.ts'
import { codesIn, setField } from './fields.ts'
import { withCode } from './formerCodes.ts'
import { mapColumns, renamedAfter, withRules } from './rules/rules.ts'

/** Another code for a visit, a page or a field. Every reference by code is updated, so that no rule is lost. */

const POINT = '\\s*\\.\\s*'
const VISITS = `(?:visit|rcVisit|visits|form${POINT}\\w+)`
const PICKED = `(?:${POINT}(?:first|last|prev))?`

/** Another code for a field. A code that is in use there changes nothing. */
export function renameField(design: Design, field: DesignFieldKey, code: string): Design {
  const { pageId, table, prop } = field
  const page = design.pages.get(pageId)
  if (page === undefined || page.form === null || code === prop || codesIn(page.form, table).has(code)) return design
  const renamed: DesignPage = {
    ...page,
    form: setField(page.form, field, (column) => withCode(column, code)),
    stored: null,
  }
  const elsewhere = `${VISITS}${POINT}${page.pageCode}${PICKED}`
  const pages = new Map(design.pages).set(pageId, renamed)
  return {
    ...design,
    pages: mapPages(pages, (one) => {
      const own = one.id === pageId
      // Only rules of the row refer to a field of the row.
      if (table !== null && !own) return one
      return mapColumns(one, (column, inTable) => {
        const ways =
          table !== null ? (table === inTable ? ['row'] : []) : own ? ['(?:page|rc|rcStored)', elsewhere] : [elsewhere]
        const withNames = own ? namedAround(column, field, { inTable, code }) : column
        return ways.length === 0
          ? withNames
          : withRules(withNames, inTable, (source) => renamedAfter(source, ways, prop, code))
      })
    }),
  }
}

/** Another code for a page, updated in the rules of all pages. */
export function renamePage(design: Design, pageId: string, code: string): Design {
  const page = design.pages.get(pageId)
  if (page === undefined || page.pageCode === code) return design
  const old = page.pageCode
  const pages = new Map(design.pages).set(pageId, { ...page, pageCode: code })
  return {
    ...design,
    pages: mapPages(pages, (one) =>
      mapColumns(one, (column, table) => {
        const withNames = column.fkCrfPageId === old ? { ...column, fkCrfPageId: code } : column
        return withRules(withNames, table, (source) => renamedAfter(source, [VISITS], old, code))
      }),
    ),
  }
}

/** Another code for a visit, updated in the rules of all pages and in the plans of other visits. */
export function renameFolder(design: Design, folderId: string, code: string): Design {
  const old = design.folders.find(({ id }) => id === folderId)?.folderCode
  if (old === undefined || old === code) return design
  return {
    folders: design.folders.map((folder) => {
      const named = folder.id === folderId ? { ...folder, folderCode: code } : folder
      const { schedule } = named
      const counts =
        schedule?.kind === 'planned' && schedule.anchor.of === 'visit' && schedule.anchor.folderCode === old
      return counts ? { ...named, schedule: { ...schedule, anchor: { ...schedule.anchor, folderCode: code } } } : named
    }),
    pages: mapPages(design.pages, (one) =>
      mapColumns(one, (column, table) =>
        withRules(column, table, (source) => renamedAfter(source, ['form'], old, code)),
      ),
    ),
  }
}

function mapPages(
  pages: ReadonlyMap<string, DesignPage>,
  edit: (page: DesignPage) => DesignPage,
): ReadonlyMap<string, DesignPage> {
  return new Map([...pages].map(([id, page]) => [id, edit(page)]))
}

/**
 * Updates the field's code in columns beside it: lists that depend on its answer, the head of a look-up, the key of a
 * row.
 */
function namedAround(
  column: DesignColumn,
  { table, prop }: DesignFieldKey,
  { inTable, code }: { readonly inTable: string | null; readonly code: string },
): DesignColumn {
  const { cascader, groupPropId, zl } = column
  if (
    inTable === null &&
    table === column.prop &&
    isRecord(zl) &&
    Array.isArray(zl.rowKey) &&
    zl.rowKey.includes(prop)
  ) {
    return { ...column, zl: { ...zl, rowKey: zl.rowKey.map((one: unknown) => (one === prop ? code : one)) } }
  }
  if (inTable !== table) return column
  const follows =
    Array.isArray(cascader) && cascader.includes(prop)
      ? { cascader: cascader.map((one: unknown) => (one === prop ? code : one)) }
      : null
  const head = groupPropId === prop ? { groupPropId: code } : null
  const shown =
    isRecord(zl) && isRecord(zl.pipes) && Object.values(zl.pipes).includes(prop)
      ? {
          zl: {
            ...zl,
            pipes: Object.fromEntries(Object.entries(zl.pipes).map(([token, of]) => [token, of === prop ? code : of])),
          },
        }
      : null
  return follows === null && head === null && shown === null ? column : { ...column, ...follows, ...head, ...shown }
}
