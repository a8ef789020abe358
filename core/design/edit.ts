import type { Raw } from '#core/form/definition/option.ts'

import type { Design, DesignColumn, DesignFolder, DesignForm, DesignPage } from './design.ts'
import { columnsOf } from './design.ts'
import type { DesignEdit, Patch } from './designEdit.ts'
import { addFields, moveFields, removeFields, setField } from './fields.ts'
import { formerCodesOf, withoutFormerCodes } from './formerCodes.ts'
import { insertedAt, movedTo } from './lists.ts'
import { renameField, renameFolder, renamePage } from './rename.ts'

/** Applies edits. */

/** The definition after an edit; the same object where the edit changes nothing. */
export function applyEdit(design: Design, edit: DesignEdit): Design {
  switch (edit.kind) {
    case 'folder-add': {
      const pages = new Map([...design.pages, ...(edit.pages ?? []).map((page) => [page.id, page] as const)])
      return { folders: insertedAt(design.folders, edit.at, [edit.folder]), pages }
    }
    case 'folder-set':
      return withFolder(design, edit.folderId, (folder) => ({ ...folder, ...edit.patch }))
    case 'folder-remove':
      return withoutLostPages({ ...design, folders: design.folders.filter(({ id }) => id !== edit.folderId) })
    case 'folder-move': {
      const from = design.folders.findIndex(({ id }) => id === edit.folderId)
      return from < 0 ? design : { ...design, folders: movedTo(design.folders, from, edit.at) }
    }
    case 'page-add': {
      const added = { ...design, pages: new Map(design.pages).set(edit.page.id, edit.page) }
      return withFolder(added, edit.folderId, (folder) => ({
        ...folder,
        pageIds: insertedAt(folder.pageIds, edit.at, [edit.page.id]),
      }))
    }
    case 'page-place':
      return withFolder(design, edit.folderId, (folder) =>
        folder.pageIds.includes(edit.pageId)
          ? folder
          : { ...folder, pageIds: insertedAt(folder.pageIds, edit.at, [edit.pageId]) },
      )
    case 'page-set':
      return withPage(design, edit.pageId, (page) => ({ ...page, ...edit.patch }))
    case 'page-remove':
      return withoutLostPages(
        withFolder(design, edit.folderId, (folder) => ({
          ...folder,
          pageIds: folder.pageIds.filter((id) => id !== edit.pageId),
        })),
      )
    case 'page-move':
      return movePage(design, edit)
    case 'form-write':
      return withPage(design, edit.pageId, (page) => ({ ...page, form: edit.form, stored: null }))
    case 'form-set':
      return withForm(design, edit.pageId, (form) => ({ ...form, rest: patchRecord(form.rest, edit.patch) }))
    case 'section-add':
    case 'section-set':
    case 'section-join':
    case 'section-move':
      return withForm(design, edit.pageId, (form) => editSections(form, edit))
    case 'fields-add':
      return withForm(design, edit.place.pageId, (form) =>
        addFields(
          form,
          edit.place,
          edit.columns.map((column) => copyColumn(form, column)),
        ),
      )
    case 'fields-move':
      return moveFieldsTo(design, edit)
    case 'fields-remove':
      return withForm(design, edit.pageId, (form) => removeFields(form, edit.table, edit.props))
    case 'field-set':
      return withForm(design, edit.field.pageId, (form) =>
        setField(form, edit.field, (column) => ({ ...patchRecord(column, edit.patch), prop: column.prop })),
      )
    case 'folder-code':
      return renameFolder(design, edit.folderId, edit.code)
    case 'page-code':
      return renamePage(design, edit.pageId, edit.code)
    case 'field-code':
      return renameField(design, edit.field, edit.code)
  }
}

type SectionEdit = Extract<DesignEdit, { readonly kind: `section-${string}` }>

/** The untitled beginning stays first. */
function editSections(form: DesignForm, edit: SectionEdit): DesignForm {
  switch (edit.kind) {
    case 'section-add':
      return { ...form, sections: insertedAt(form.sections, Math.max(1, edit.at), [edit.section]) }
    case 'section-set':
      return {
        ...form,
        sections: form.sections.map((section) =>
          section.key === edit.key ? { ...section, rest: patchRecord(section.rest, edit.patch) } : section,
        ),
      }
    case 'section-join':
      return joinSections(form, edit.key)
    case 'section-move': {
      const from = form.sections.findIndex(({ key }) => key === edit.key)
      return from < 1 ? form : { ...form, sections: movedTo(form.sections, from, Math.max(1, edit.at)) }
    }
  }
}

/** A record with some keys set, and without those whose value is `undefined`. */
export function patchRecord<Of extends Raw>(record: Of, patch: Patch): Of {
  return Object.fromEntries(Object.entries({ ...record, ...patch }).filter(([, value]) => value !== undefined)) as Of
}

/** Edits one page's form; an unreadable page stays as it is. */
function withForm(design: Design, pageId: string, edit: (form: DesignForm) => DesignForm): Design {
  return withPage(design, pageId, (page) => {
    if (page.form === null) return page
    const form = edit(page.form)
    return form === page.form ? page : { ...page, form, stored: null }
  })
}

function withPage(design: Design, pageId: string, edit: (page: DesignPage) => DesignPage): Design {
  const page = design.pages.get(pageId)
  if (page === undefined) return design
  const edited = edit(page)
  return edited === page ? design : { ...design, pages: new Map(design.pages).set(pageId, edited) }
}

function withFolder(design: Design, folderId: string, edit: (folder: DesignFolder) => DesignFolder): Design {
  return { ...design, folders: design.folders.map((folder) => (folder.id === folderId ? edit(folder) : folder)) }
}

function movePage(design: Design, { pageId, folderId, to, at }: Extract<DesignEdit, { kind: 'page-move' }>): Design {
  if (folderId === to) {
    return withFolder(design, to, (folder) => {
      const from = folder.pageIds.indexOf(pageId)
      return from < 0 ? folder : { ...folder, pageIds: movedTo(folder.pageIds, from, at) }
    })
  }
  const target = design.folders.find(({ id }) => id === to)
  if (target === undefined || target.pageIds.includes(pageId)) return design
  const out = withFolder(design, folderId, (folder) => ({
    ...folder,
    pageIds: folder.pageIds.filter((id) => id !== pageId),
  }))
  return withFolder(out, to, (folder) => ({ ...folder, pageIds: insertedAt(folder.pageIds, at, [pageId]) }))
}

/** A new copy of a field has no former codes, unless it was cut out of this page before. */
function copyColumn(form: DesignForm, column: DesignColumn): DesignColumn {
  const former = new Set([column.prop, ...formerCodesOf(column)])
  const isCopy = [...columnsOf(form)].some(
    ({ column: one }) => former.has(one.prop) || formerCodesOf(one).some((code) => former.has(code)),
  )
  return isCopy ? withoutFormerCodes(column) : column
}

function moveFieldsTo(design: Design, { from, to }: Extract<DesignEdit, { kind: 'fields-move' }>): Design {
  if (from.pageId === to.pageId) return withForm(design, from.pageId, (form) => moveFields(form, from, to))
  const form = design.pages.get(from.pageId)?.form ?? null
  if (form === null || (design.pages.get(to.pageId)?.form ?? null) === null) return design
  const columns = from.props.flatMap((prop) =>
    form.sections.flatMap((section) => section.columns.filter((column) => column.prop === prop)),
  )
  const out = withForm(design, from.pageId, (own) => removeFields(own, from.table, from.props))
  return withForm(out, to.pageId, (own) => addFields(own, to, columns))
}

function joinSections(form: DesignForm, key: string): DesignForm {
  const at = form.sections.findIndex((section) => section.key === key)
  const [going, before] = [form.sections[at], form.sections[at - 1]]
  if (going === undefined || before === undefined) return form
  return {
    ...form,
    sections: form.sections.flatMap((section) =>
      section === going
        ? []
        : section === before
          ? [{ ...before, columns: [...before.columns, ...going.columns] }]
          : [section],
    ),
  }
}

/** Removes pages that are in no visit any more. */
function withoutLostPages(design: Design): Design {
  const placed = new Set(design.folders.flatMap(({ pageIds }) => pageIds))
  return { ...design, pages: new Map([...design.pages].filter(([id]) => placed.has(id))) }
}
