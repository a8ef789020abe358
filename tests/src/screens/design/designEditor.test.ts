import { afterEach, expect, test, vi } from 'vitest'
import type { DesignInput, DesignState } from '#core/api/calls/design.ts'
import type { DesignEdit } from '#core/design/designEdit.ts'
import type { Design } from '#core/design/design.ts'
import { columnAt, designOf, foldersOf } from '#core/design/design.ts'
import { err, ok } from '#core/result.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'
import type { UnsavedDesign } from '#src/data/writes/designs.ts'
import { DesignEditor } from '#src/screens/design/designEditor.ts'

/**
 * One draft and two designers, each with a device: what either reads of the other's work, and what outlives a reload.
 */

const LABEL = (label: string): DesignEdit => ({
  kind: 'field-set',
  field: { pageId: 'p', table: null, prop: 'pulse' },
  patch: { label },
})
const START = designOf([
  {
    id: 'f',
    folderName: '基线',
    folderCode: 'V1',
    sort: 1,
    pages: [
      {
        id: 'p',
        pageName: '体征',
        pageCode: 'VS',
        repeatable: false,
        sort: 1,
        option: JSON.stringify({ column: [{ prop: 'pulse', label: '脉搏', type: 'input' }] }),
      },
    ],
  },
])

/** The draft as a server holds it: saved onto the revision that it was made from, or not at all. */
class Draft {
  #design: Design = START
  #rev = 0
  #by = ''
  /** Whether the server answers, and how often it was asked. */
  there = true
  asked = 0
  /** Whether it is a draft that can still be saved. */
  isOpen = true

  state(): DesignState {
    const act = {
      id: 'a',
      kind: 'edit' as const,
      fromRev: 0,
      toRev: this.#rev,
      byId: this.#by,
      byName: this.#by,
      begunAt: '',
      at: '',
      source: null,
      mode: null,
      parts: [],
    }
    return { rev: this.#rev, byId: null, byName: null, at: null, acts: this.#rev === 0 ? [] : [act] }
  }

  read() {
    const version: VersionRow = {
      id: 'v',
      versionNo: 1,
      versionNoDesc: 'V1.0',
      crfProfile: 'draft',
      crfProfileDesc: '',
      remark: null,
      createdAt: '',
      folders: [...foldersOf(this.#design)],
    }
    return { state: this.state(), version }
  }

  label(): unknown {
    const form = this.#design.pages.get('p')?.form ?? null
    return form === null ? null : columnAt(form, null, 'pulse')?.label
  }

  /** Opens it on a device, which has kept what it kept. */
  open(name: string, device: { kept: UnsavedDesign | null }): DesignEditor {
    return new DesignEditor(this.read(), device.kept, {
      keep: async (design) => {
        device.kept = design
        return true
      },
      read: async () => ok(this.read()),
      readState: async () => {
        this.asked += 1
        return this.there ? ok(this.state()) : err({ code: 'offline' })
      },
      restore: async () => err({ code: 'not_found' }),
      save: async (body: DesignInput) => {
        this.asked += 1
        if (!this.there) return err({ code: 'offline' })
        if (!this.isOpen) return err({ code: 'transition_refused' })
        if (body.rev !== this.#rev) return err({ code: 'draft_changed' })
        const pages = new Map(body.pages.map((page) => [page.id, page.option]))
        const rows = body.folders.map(({ pageIds, ...folder }, at) => ({
          ...folder,
          sort: at + 1,
          pages: pageIds.map((id, order) => ({
            id,
            pageName: '体征',
            pageCode: 'VS',
            repeatable: false,
            sort: order + 1,
            option: pages.get(id) ?? foldersOf(this.#design)[0]?.pages[0]?.option ?? '',
          })),
        }))
        this.#design = designOf(rows)
        this.#rev += 1
        this.#by = name
        return ok({ state: this.state(), pages: [] })
      },
    })
  }
}

const labelIn = ({ design }: ReturnType<DesignEditor['view']>) => {
  const form = design.pages.get('p')?.form ?? null
  return form === null ? null : columnAt(form, null, 'pulse')?.label
}

test('whose saved value another has written over reads both values and can put the own one back; the other then reads it too', async () => {
  const draft = new Draft()
  const [lin, wu] = [draft.open('林', { kept: null }), draft.open('吴', { kept: null })]
  lin.edit(LABEL('脉率'))
  await lin.flush()
  // The other has not seen it, and writes the same property.
  wu.edit(LABEL('心率'))
  await wu.flush()
  await wu.flush()
  expect(wu.view().conflicts).toMatchObject([{ path: ['label'], mine: '心率', theirs: '脉率', stands: 'mine' }])
  await lin.look()
  expect([draft.label(), labelIn(lin.view())]).toEqual(['心率', '心率'])
  expect(lin.view().conflicts).toMatchObject([{ path: ['label'], mine: '脉率', theirs: '心率', stands: 'theirs' }])
  expect(lin.view().joined).toMatchObject([{ byName: '吴', kind: 'edit' }])
  lin.edit(LABEL('脉率'))
  await lin.flush()
  await wu.look()
  expect(wu.view().conflicts.at(-1)).toMatchObject({ mine: '心率', theirs: '脉率', stands: 'theirs' })
  // What was seen and left as it is, is not told again.
  await lin.look()
  expect(lin.view().conflicts).toHaveLength(1)
})

test('what was taken away is brought back by undo after a reload, as long as nobody else has saved since', async () => {
  const draft = new Draft()
  const device = { kept: null as UnsavedDesign | null }
  const first = draft.open('林', device)
  first.edit(LABEL('脉率'))
  first.edit({ kind: 'folder-remove', folderId: 'f' })
  await first.flush()
  const again = draft.open('林', device)
  expect([again.view().design.folders.length, again.view().canUndo, again.view().status]).toEqual([
    0,
    true,
    { is: 'saved' },
  ])
  again.undo()
  expect(labelIn(again.view())).toBe('脉率')
  again.undo()
  expect(labelIn(again.view())).toBe('脉搏')
  again.redo()
  await again.flush()
  expect(draft.label()).toBe('脉率')
  const other = draft.open('吴', { kept: null })
  other.edit(LABEL('心率'))
  await other.flush()
  expect(draft.open('林', device).view().canUndo).toBe(false)
})

test('edits that were not sent come back after a reload with the steps before them', async () => {
  const draft = new Draft()
  const device = { kept: null as UnsavedDesign | null }
  const first = draft.open('林', device)
  first.edit(LABEL('脉率'))
  await first.keep()
  first.stop()
  const again = draft.open('林', device)
  expect([labelIn(again.view()), again.view().status.is, again.view().canUndo]).toEqual(['脉率', 'waiting', true])
  again.undo()
  expect(labelIn(again.view())).toBe('脉搏')
  again.stop()
})

afterEach(() => void vi.useRealTimers())

test('while the server is out of reach nothing asks it by the clock; what was edited is at the server as soon as it is back', async () => {
  vi.useFakeTimers()
  const draft = new Draft()
  const lin = draft.open('林', { kept: null })
  draft.there = false
  lin.edit(LABEL('脉率'))
  await vi.advanceTimersByTimeAsync(1000)
  // The first that meets no server tells who watches it.
  expect([draft.asked, lin.view().status.is]).toEqual([1, 'away'])
  lin.hear(false)
  for (let minute = 0; minute < 10; minute += 1) {
    lin.edit(LABEL(`脉率 ${minute}`))
    await vi.advanceTimersByTimeAsync(60_000)
    await lin.look()
    expect(lin.view().status).toEqual({ is: 'away' })
  }
  expect(draft.asked).toBe(1)
  draft.there = true
  lin.hear(true)
  await vi.advanceTimersByTimeAsync(100)
  expect([draft.label(), lin.view().status.is]).toEqual(['脉率 9', 'saved'])
})

test('a server that answers, but is busy, is asked again by itself', async () => {
  vi.useFakeTimers()
  const draft = new Draft()
  const lin = draft.open('林', { kept: null })
  draft.there = false
  lin.hear(true)
  lin.edit(LABEL('脉率'))
  await vi.advanceTimersByTimeAsync(1000)
  draft.there = true
  await vi.advanceTimersByTimeAsync(5000)
  expect([draft.label(), lin.view().status.is]).toEqual(['脉率', 'saved'])
})

test('what the server refuses is told and stays on the device; it is not sent again by itself, and goes with what is edited next', async () => {
  vi.useFakeTimers()
  const draft = new Draft()
  const device = { kept: null as UnsavedDesign | null }
  const lin = draft.open('林', device)
  draft.isOpen = false
  lin.edit(LABEL('脉率'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([draft.asked, lin.view().status]).toEqual([1, { is: 'refused', error: { code: 'transition_refused' } }])
  expect(device.kept?.saved).toBe(false)
  draft.isOpen = true
  lin.edit(LABEL('心率'))
  await vi.advanceTimersByTimeAsync(1000)
  expect([draft.label(), lin.view().status.is]).toEqual(['心率', 'saved'])
})

test('a draft that is left while the server is away is on the device, and nothing asks the server in another person’s name', async () => {
  vi.useFakeTimers()
  const draft = new Draft()
  const device = { kept: null as UnsavedDesign | null }
  const lin = draft.open('林', device)
  draft.there = false
  lin.edit(LABEL('脉率'))
  await lin.saver.close()
  expect(draft.asked).toBe(1)
  draft.there = true
  await vi.advanceTimersByTimeAsync(600_000)
  expect([draft.asked, draft.label()]).toEqual([1, '脉搏'])
  const again = draft.open('林', device)
  await vi.advanceTimersByTimeAsync(100)
  expect([draft.label(), again.view().status.is]).toEqual(['脉率', 'saved'])
})
