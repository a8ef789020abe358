import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { Design, DesignColumn } from '#core/design/design.ts'
import { columnAt, designOf, foldersOf } from '#core/design/design.ts'
import { err, ok } from '#core/result.ts'
import type { DesignView } from '#src/screens/design/designEditor.ts'
import { DesignEditor } from '#src/screens/design/designEditor.ts'
import type { Desk } from '#tests/src/support/atDesk.tsx'
import { AtDesk } from '#tests/src/support/atDesk.tsx'
import { projectRow } from '#tests/src/support/rows.ts'
import { show } from '#tests/src/support/screen.tsx'

/** A draft on the designer's desk, whose server is away: what is done to it stays in its editor. */

/** A baseline visit `f` with a page `p` of signs, and a visit `g` with a page `q`. */
export function designWith(column: readonly object[]): Design {
  const page = (id: string, pageName: string, pageCode: string, columns: readonly object[]) => ({
    id,
    pageName,
    pageCode,
    repeatable: false,
    sort: 1,
    option: JSON.stringify({ column: columns }),
  })
  return designOf([
    { id: 'f', folderName: '基线', folderCode: 'V1', sort: 1, pages: [page('p', '体征', 'VS', column)] },
    { id: 'g', folderName: '随访', folderCode: 'V2', sort: 2, pages: [page('q', '用药', 'CM', [])] },
  ])
}

/** The version that a draft is of, but for its visits. */
export const DRAFT_VERSION: VersionRow = {
  id: 'v',
  versionNo: 1,
  versionNoDesc: 'V1.0',
  crfProfile: 'draft',
  crfProfileDesc: '',
  remark: null,
  createdAt: '',
  folders: [],
}

export function draftOf(design: Design): DesignEditor {
  const state = { rev: 0, byId: null, byName: null, at: null, acts: [] }
  const version = { ...DRAFT_VERSION, folders: [...foldersOf(design)] }
  const editor = new DesignEditor({ state, version }, null, {
    keep: () => Promise.resolve(true),
    read: () => Promise.resolve(err({ code: 'offline' })),
    readState: () => Promise.resolve(ok(state)),
    restore: () => Promise.resolve(err({ code: 'offline' })),
    save: () => Promise.resolve(err({ code: 'offline' })),
  })
  editor.hear(false)
  return editor
}

/** Draws a part of the designer over a draft, anew with everything that is done to it. */
export function showDraft(editor: DesignEditor, part: (view: DesignView) => ReactNode, desk: Desk = {}) {
  return show(
    <AtDesk desk={desk}>
      <Routes>
        <Route element={<Outlet context={{ project: projectRow() }} />}>
          <Route path="/" element={<Live editor={editor} part={part} />} />
        </Route>
      </Routes>
    </AtDesk>,
  )
}

function Live({ editor, part }: { readonly editor: DesignEditor; readonly part: (view: DesignView) => ReactNode }) {
  return part(useSyncExternalStore(editor.subscribe, editor.view))
}

/** A field of page `p` as it is in the draft now. */
export function fieldNow(editor: DesignEditor, prop: string, table: string | null = null): DesignColumn | null {
  const form = editor.view().design.pages.get('p')?.form ?? null
  return form === null ? null : columnAt(form, table, prop)
}

/** The codes of the fields of page `p`, in their order. */
export function codesNow(editor: DesignEditor): readonly string[] {
  return (editor.view().design.pages.get('p')?.form?.sections ?? []).flatMap(({ columns }) =>
    columns.map(({ prop }) => prop),
  )
}
