import { createFormState } from '#core/form/engine/engine.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { FileReference } from '#core/files/reference.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { EntryChange, ItemChange, JournalStep, RowChange } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { contentAt, rowContent, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { Device } from '#src/data/device/device.ts'
import type { EntryView } from '#src/data/shapes/types.ts'
import { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import { PHOTOS } from './photos.ts'
import type { Content, Edit, Entered, RowDone, RowIntent, SeenPage } from './simTablet.ts'

/** A page on a tablet's screen: its form, what brings its values to the device, and the rows of its table. */
export class OpenPage {
  readonly #device: Device
  readonly #projectId: string
  readonly #now: () => string
  readonly #form: FormState
  readonly #autosave: Autosave
  /** What each field held when the page was opened. */
  readonly #opened: EntryView
  #view: EntryView

  private constructor(device: Device, projectId: string, view: EntryView, form: FormState, now: () => string) {
    this.#device = device
    this.#projectId = projectId
    this.#now = now
    this.#view = view
    this.#opened = view
    this.#form = form
    const { target, versionId } = view
    this.#autosave = new Autosave(
      form,
      { target, versionId },
      {
        journal: (step, opening) => device.journalEdit(projectId, versionId, target, step, opening),
        journalAnswer: (answer, opening) => device.journalAnswer(projectId, versionId, target, answer, opening),
        letGo: (opening) => device.letGoTyping(target, opening),
        discard: (opening) => device.discardTyping(target, opening),
        prepare: (save) => device.prepareSave(projectId, save),
        save: (save) => device.saveEntry(projectId, save),
        submit: (save) => device.submitEntry(projectId, save),
      },
      now,
    )
    this.#autosave.offerSubmittedOnce(view.submittedOnce)
  }

  static open(device: Device, projectId: string, view: EntryView, now: () => string): OpenPage | null {
    const form = formOf(view, now())
    return form === null ? null : new OpenPage(device, projectId, view, form, now)
  }

  get view(): EntryView {
    return this.#view
  }

  get seen(): SeenPage {
    const { values, missing } = this.#form.data()
    return { values, missing: { ...missing }, status: this.#view.status }
  }

  enter(field: string, entered: Entered): Edit | null {
    const before = this.#form.getCell(field)
    if (before === undefined || !before.visible || before.readOnly || before.calculated) return null
    this.#put(field, entered)
    const after = this.#form.getCell(field)
    if (after === undefined) return null
    const { value, missing, text } = after
    if (before.value === value && before.missing === missing && before.text === text) return null
    this.#autosave.edited({
      kind: 'item',
      table: null,
      rid: null,
      code: field,
      old: before.value,
      value,
      oldMissing: before.missing,
      missing,
      text,
    })
    return { base: { value: before.value, missing: before.missing }, to: { value, missing }, typed: text ?? value }
  }

  #put(field: string, entered: Entered): void {
    switch (entered.how) {
      case 'text':
        this.#form.setText(field, entered.text)
        break
      case 'choice':
        this.#form.setValue(field, entered.value)
        break
      case 'missing':
        this.#form.setMissing(field, { m: entered.m, reason: entered.reason })
        break
      case 'back': {
        const was = contentAt(this.#opened.data, { table: null, rid: null, code: field }) ?? EMPTY_ITEM
        if (was.missing === null) this.#form.setValue(field, was.value)
        else this.#form.setMissing(field, was.missing)
      }
    }
  }

  /** Puts a file that was taken into the field of photographs, beside those that are there. */
  addPhoto(reference: FileReference): void {
    const before = this.#form.getCell(PHOTOS)
    const now = Array.isArray(before?.value) ? (before.value as readonly JsonValue[]) : []
    this.#form.setValue(PHOTOS, [...now, { ...reference }])
    const after = this.#form.getCell(PHOTOS)
    if (before === undefined || after === undefined) return
    this.#autosave.edited({
      kind: 'item',
      table: null,
      rid: null,
      code: PHOTOS,
      old: before.value,
      value: after.value,
      oldMissing: before.missing,
      missing: after.missing,
      text: null,
    })
  }

  /** Whether photographs can be taken into it. */
  get takesPhotos(): boolean {
    const cell = this.#form.getCell(PHOTOS)
    return cell !== undefined && cell.visible && !cell.readOnly
  }

  /**
   * Changes a row as it stands on the screen, and queues that by itself: what is typed in the fields beside it is saved
   * with these.
   */
  async row(intent: RowIntent, queue: (change: EntryChange) => Promise<boolean>): Promise<RowDone | null> {
    if (this.#view.compiled?.page.byCode.has('drugs') !== true) return null
    const rows = rowsOf(this.#view.data.values['drugs']) ?? []
    const planned = planRow(intent, rows, this.#now())
    if (planned === null) return null
    const { rowChange, itemChange, journal, done } = planned
    const queued = await queue({
      target: this.#view.target,
      items: itemChange === null ? [] : [itemChange],
      rows: rowChange === null ? [] : [rowChange],
      journal: [...journal],
      seen: null,
    })
    if (!queued) return null
    await this.refresh()
    return done
  }

  /** A newer reading reaches the screen. */
  async refresh(): Promise<boolean> {
    const view = await this.#device.entry(this.#projectId, this.#view.target)
    if (!view.ok) return false
    this.#view = view.value
    this.#autosave.offerSubmittedOnce(view.value.submittedOnce)
    this.#autosave.offerOtherPages(view.value.otherPages)
    this.#autosave.offer(view.value.data, view.value.order, view.value.masked)
    return true
  }

  flush(): Promise<boolean> {
    return this.#autosave.flush()
  }

  async submit(): Promise<boolean> {
    return (await this.#autosave.submit()).ok
  }

  close(): Promise<void> {
    return this.#autosave.close()
  }

  /** Waits until a save that is under way is over. */
  async settled(): Promise<void> {
    while (this.#autosave.getStatus().state === 'saving') await nextTurn()
  }
}

/** The form that a page is on the screen; null where its definition cannot be read. */
function formOf({ compiled, data, otherPages, masked }: EntryView, now: string): FormState | null {
  if (compiled === null) return null
  const [day, time] = now.split('T')
  const moment = { today: day ?? '', now: `${day ?? ''} ${(time ?? '').slice(0, 8)}` }
  return createFormState(compiled, data, { moment, readOnly: false, otherPages, masked })
}

/** What a page would have on the screen if it were opened now. */
export function shownData(view: EntryView, now: string): EntryData | null {
  return formOf(view, now)?.data() ?? null
}

interface PlannedRow {
  readonly rowChange: RowChange | null
  readonly itemChange: ItemChange | null
  readonly journal: readonly JournalStep[]
  readonly done: RowDone
}

type Row = Readonly<Record<string, JsonValue>>

function planRow(intent: RowIntent, rows: readonly Row[], at: string): PlannedRow | null {
  if (intent.change === 'insert') {
    const rid = newId()
    const to = { deleted: false, order: intent.order }
    const rowChange = { table: 'drugs', rid, to, base: null, seen: null, reason: null }
    const item = plannedItem(rid, 'drug', EMPTY_ITEM, intent.drug, at)
    return { rowChange, ...item.planned, done: { rid, state: { from: null, to }, item: item.edit } }
  }
  const alive = rows.filter((row) => !stateOf(row).deleted)
  const gone = rows.filter((row) => stateOf(row).deleted)
  const from = intent.change === 'restore' ? gone : alive
  const row = from[intent.row % Math.max(1, from.length)]
  const rid = row?.['_rid']
  if (row === undefined || typeof rid !== 'string') return null
  if (intent.change === 'edit') {
    const base: Content = { value: row[intent.field] ?? null, missing: null }
    const text = intent.field === 'dose' ? Number(intent.text) : intent.text
    const item = plannedItem(rid, intent.field, base, text, at)
    return { rowChange: null, ...item.planned, done: { rid, state: null, item: item.edit } }
  }
  const base = stateOf(row)
  const to =
    intent.change === 'move' ? { ...base, order: intent.order } : { ...base, deleted: intent.change === 'delete' }
  const seen = intent.change === 'delete' ? rowContent(row) : null
  const rowChange = { table: 'drugs', rid, to, base, seen, reason: null }
  return { rowChange, itemChange: null, journal: [], done: { rid, state: { from: base, to }, item: null } }
}

function plannedItem(rid: string, code: string, base: Content, value: string | number, at: string) {
  const to: Content = { value, missing: null }
  const place = { table: 'drugs', rid, code }
  const step: JournalStep = { ...place, from: base, to, at }
  const itemChange: ItemChange = { ...place, to, base, isShow: 1, reason: null }
  return { planned: { itemChange, journal: [step] }, edit: { base, to, typed: value, field: code } }
}

/** Whatever is ready to run, in any thread of this process or page, runs first. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
